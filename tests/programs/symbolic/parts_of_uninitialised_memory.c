// check: --svcomp sc=holds tso=holds pso=holds
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --svcomp --engine=symbolic -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// An access is in one of two objects that are uninitialised at first. One of them is also accessed by parts.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned char __VERIFIER_nondet_uchar(void);

static int *whole, *parts;

static void *thread(void *unused) {
  *(short *)parts = 7;
  return unused;
}

int main(void) {
  pthread_t other;
  whole = malloc(sizeof *whole);
  parts = malloc(sizeof *parts);
  int *either = __VERIFIER_nondet_uchar() < 100 ? whole : parts;
  *either = 5;
  pthread_create(&other, 0, thread, 0);
  int result = *either;
  pthread_join(other, 0);
#ifdef WRONG
  assert(result == 5);
#else
  assert(result == 5 || (result == 7 && either == parts));
#endif
  return 0;
}
