// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
//
// The smallest store-buffer bug. Two threads each raise a flag and then look at the other's. Whoever is later must see
// the other's flag, one would think; but a store waits in its processor's buffer while the load that follows it is
// served, so that both threads may miss each other. Every x86 processor does this.
//
//     rmc-check examples/store_buffering.c            finds it
//     rmc-check -DFENCE examples/store_buffering.c    proves the repair
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCE
#define full_fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define full_fence() ((void)0)
#endif

static atomic_int x, y;
static int seen_by_first, seen_by_second;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  full_fence();
  seen_by_first = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  full_fence();
  seen_by_second = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen_by_first == 1 || seen_by_second == 1);
  return 0;
}
