// The assertion holds under every model, since one of the threads tries again. Still there is an execution that sequential consistency does not have.
// check: sc=holds tso=holds pso=holds states=sc:42,tso:48,pso:48
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int first_saw, second_saw;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  first_saw = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second_saw = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  if (!first_saw && !second_saw)
    second_saw = atomic_load_explicit(&x, memory_order_relaxed);
  assert(first_saw || second_saw);
  return 0;
}
