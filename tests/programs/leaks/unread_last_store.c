// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:24,tso:16,pso:16
// check: --leaks -DFIRST sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:25,tso:16,pso:16
//
// Nobody reads which of two stores is the last one. The block is lost only if it is not the one that publishes it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(void *) slot;

static void *publisher(void *unused) {
  atomic_store_explicit(&slot, malloc(8), memory_order_relaxed);
  return unused;
}

static void *clearer(void *unused) {
  atomic_store_explicit(&slot, NULL, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
#ifdef FIRST
  pthread_create(&threads[0], NULL, clearer, NULL);
  pthread_create(&threads[1], NULL, publisher, NULL);
#else
  pthread_create(&threads[0], NULL, publisher, NULL);
  pthread_create(&threads[1], NULL, clearer, NULL);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
