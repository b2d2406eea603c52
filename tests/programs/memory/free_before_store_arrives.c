// check: sc=holds tso=holds pso=violated(use-after-free) at=30 related=19,25 states=sc:4,tso:10,pso:7
// check: -DRELEASE sc=holds tso=holds pso=holds states=sc:4,tso:10,pso:10
//
// The writer says that it is done; the owner frees. Under PSO the word can overtake the last write to the block, which
// then reaches freed memory.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELEASE
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

static atomic_int done;

static void *writer(void *block) {
  *(int *)block = 1;
  atomic_store_explicit(&done, 1, ORDER);
  return NULL;
}

int main(void) {
  int *block = malloc(sizeof *block);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, block);
  while (!atomic_load_explicit(&done, memory_order_acquire))
    ;
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
