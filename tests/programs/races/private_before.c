// check: --races sc=holds tso=holds pso=holds states=sc:7,tso:9,pso:9
// check: --races -DRELAXED sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=38 related=21,15 states=sc:7,tso:6,pso:6
// check: --races -DFENCE_BEFORE_WRITE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=38 related=18,15 states=sc:7,tso:6,pso:6
// check: --races -DWRITTEN_BY_RECEIVER sc=holds tso=holds pso=holds states=sc:7,tso:9,pso:9
//
// A block is filled while nobody else knows it, then handed over. What was done before others could know it races all the same if nothing orders it; where the first
// owner did not touch it, nothing does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;

static void *sender(void *unused) {
  int *block = malloc(sizeof *block);
#ifdef FENCE_BEFORE_WRITE
  atomic_thread_fence(memory_order_release);
  *block = 1;
  atomic_store_explicit(&slot, block, memory_order_relaxed);
#elif defined RELAXED
  *block = 1;
  atomic_store_explicit(&slot, block, memory_order_relaxed);
#elif defined WRITTEN_BY_RECEIVER
  atomic_store_explicit(&slot, block, memory_order_relaxed);
#else
  *block = 1;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&slot, block, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sender, NULL);
  int *block = atomic_load_explicit(&slot, memory_order_acquire);
  if (block != NULL)
    *block = 2;
  pthread_join(thread, NULL);
  return 0;
}
