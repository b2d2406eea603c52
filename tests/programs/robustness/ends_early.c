// The process ends while a store is still in a buffer. It could have reached memory right before, after the other thread did not see it.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust) at=12
// check: --robustness -DFENCE tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;

static void *work(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  return atomic_load_explicit(&y, memory_order_relaxed) ? unused : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  // With its fence.
  atomic_exchange(&y, 1);
  exit(atomic_load_explicit(&x, memory_order_relaxed) > 1);
}
