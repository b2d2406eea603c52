// check: --leaks sc=holds tso=holds pso=holds states=sc:11,tso:9,pso:9
// check: --leaks=all sc=holds tso=holds pso=holds states=sc:13,tso:11,pso:11
// check: --leaks -DIGNORED sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=18 related=13 states=sc:11,tso:9,pso:9
//
// A block is on its way to another thread, in a store buffer only: it is not lost. The receiver that looks once and goes misses it, in some executions.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic slot;

static void *sender(void *unused) {
  int *block = malloc(sizeof *block);
  atomic_store_explicit(&slot, block, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  int *block;
  pthread_create(&thread, NULL, sender, NULL);
#ifdef IGNORED
  block = atomic_exchange(&slot, NULL);
  pthread_join(thread, NULL);
  slot = NULL;
#else
  do
    block = atomic_load_explicit(&slot, memory_order_acquire);
  while (block == NULL);
  pthread_join(thread, NULL);
#endif
  free(block);
  return 0;
}
