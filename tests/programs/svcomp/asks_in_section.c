// check: --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=dpor-source sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --no-reduce=inputs --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DREADS --svcomp --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DFAILS --svcomp --malloc-may-fail --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// What a step does in an atomic section depends on the answers to its questions. With the first one it
// accesses nothing, and has no race.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, seen;

static void *stores(void *unused) {
  x = 3;
  return unused;
}

static void *asks(void *unused) {
  __VERIFIER_atomic_begin();
#if defined READS
  if (__VERIFIER_nondet_bool())
    seen = x;
#elif defined FAILS
  void *memory = malloc(4);
  if (!memory)
    seen = x;
  free(memory);
#else
  if (__VERIFIER_nondet_bool())
    seen = x++;
#endif
  __VERIFIER_atomic_end();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, stores, 0);
  pthread_create(&threads[1], 0, asks, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(seen != 3);
  return 0;
}
