// check: --svcomp sc=holds tso=holds pso=holds states=sc:11,tso:11,pso:11
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:11,tso:11,pso:11
//
// Two threads add inputs to one counter, and one exchanges it for a third input if it has not changed: nobody
// needs to know the values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

_Atomic unsigned counter, latest;

static void *add(void *unused) {
  (void)unused;
  unsigned own = __VERIFIER_nondet_uint();
  atomic_fetch_add(&counter, own);
  atomic_store(&latest, own);
  return 0;
}

int main(void) {
  pthread_t thread;
  unsigned mine = __VERIFIER_nondet_uint(), other = __VERIFIER_nondet_uint();
  pthread_create(&thread, 0, add, 0);
  atomic_fetch_add(&counter, mine);
  pthread_join(thread, 0);
  assert(counter == mine + latest);
  unsigned expected = mine + latest;
#ifdef WRONG
  expected = mine ^ latest;
#endif
  assert(atomic_compare_exchange_strong(&counter, &expected, other));
  assert(counter == other);
  return 0;
}
