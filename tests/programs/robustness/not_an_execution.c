// Where both loads see nothing the assumption fails, so the only executions that are not sequentially consistent are none of the program's.
// check: --robustness sc=holds tso=holds pso=holds
// check: --engine=attacks tso=unknown(assumptions)
// check: --engine=attacks -DALL tso=violated(not-robust) states=tso:75
// check: --robustness -DALL tso=violated(not-robust) pso=violated(not-robust)

#include <pthread.h>
#include <rmc.h>
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
#ifndef ALL
  rmc_assume(first_saw || second_saw);
#endif
  return 0;
}
