// check: --svcomp sc=holds tso=holds pso=holds states=sc:7,tso:7,pso:7
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:7,tso:7,pso:7
//
// A compare-exchange needs to know only whether the input is the expected value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

_Atomic int cell;

static void *other(void *unused) {
  (void)unused;
  cell = __VERIFIER_nondet_int();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int expected = 5;
  if (!atomic_compare_exchange_strong(&cell, &expected, 6))
    assert(expected != 5);
  pthread_join(thread, 0);
#ifdef WRONG
  assert(cell != 6);
#endif
  return 0;
}
