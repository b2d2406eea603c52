// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFENCE tso=holds pso=holds
//
// The load of `x` reads the thread's own store, which may still wait in its buffer: it is not ordered after the
// other thread's store to `x`. So the load of `y` may come first, and a = 1, b = 0, x = 1 at the end. In a
// sequential order b = 0 means that `x = 2` is last.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *other(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  a = atomic_load_explicit(&x, memory_order_relaxed);
  b = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(thread, NULL);
  return 0;
}
