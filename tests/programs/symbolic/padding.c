// check: --svcomp sc=holds tso=holds pso=holds
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --svcomp --engine=symbolic -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// Padding is copied with a structure, and stays uninitialised. The bytes beside it are initialised.
#include <assert.h>
#include <pthread.h>
#include <string.h>

unsigned char __VERIFIER_nondet_uchar(void);

struct padded {
  unsigned char first;
  unsigned short second;
};

static unsigned char table[6] = {0, 0, 0, 1, 0, 0};

static void *thread(void *unused) {
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, thread, 0);
  unsigned char number = __VERIFIER_nondet_uchar(), low;
  struct padded one;
  one.first = number;
  one.second = number * 256 + 3;
  struct padded two = one;
  memcpy(&low, (unsigned char *)&two + 2, 1);
  assert(table[low % 6] == 1);
#ifdef WRONG
  assert(two.first != 200);
#endif
  pthread_join(other, 0);
  return 0;
}
