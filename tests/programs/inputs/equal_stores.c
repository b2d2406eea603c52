// check: --svcomp --buffer-bound=0 sc=holds tso=holds pso=holds states=sc:13,tso:5,pso:5
// check: --svcomp -DWRONG --buffer-bound=0 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:8,pso:8
//
// A loop that waits stores an input in every round. The stores of one input repeat each other; one of another
// input does not, although the counterexample has equal values for both.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

int flag, last, other;

static void *waiter(void *unused) {
  (void)unused;
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  last = x;
  last = y;
  int seen;
  do {
    last = y;
    seen = __atomic_load_n(&flag, __ATOMIC_RELAXED);
  } while (!seen);
  other = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  __atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
#ifdef WRONG
  assert(__atomic_load_n(&other, __ATOMIC_RELAXED) == 0);
#endif
  pthread_join(thread, 0);
  return 0;
}
