// check: --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:28,tso:19,pso:19
//
// The counterexample has equal values for both inputs, but the search told them apart: while the structure is
// copied, one overwrites the other.
#include <assert.h>
#include <pthread.h>

long __VERIFIER_nondet_long(void);

struct record {
  long key, first, second;
} shared;

static void *reader(void *unused) {
  (void)unused;
  struct record copy = shared;
  assert(copy.first == 1 || copy.second == 0);
  return 0;
}

int main(void) {
  shared.key = __VERIFIER_nondet_long();
  pthread_t thread;
  pthread_create(&thread, 0, reader, 0);
  __atomic_store_n(&shared.key, __VERIFIER_nondet_long(), __ATOMIC_RELEASE);
  __atomic_store_n(&shared.first, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&shared.second, 1, __ATOMIC_RELEASE);
  pthread_join(thread, 0);
  return 0;
}
