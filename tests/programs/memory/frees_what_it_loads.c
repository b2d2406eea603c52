// check: sc=violated(double-free) tso=violated(double-free) pso=violated(double-free)
// check: --engine=reads-from sc=violated(double-free) tso=violated(double-free) pso=violated(double-free)
// check: --cross-check sc=violated(double-free) tso=violated(double-free) pso=violated(double-free)
// check: -DCONDITION --cross-check sc=violated(double-free) tso=violated(double-free) pso=violated(double-free)
// check: -DREALLOC --cross-check sc=violated(double-free) tso=violated(double-free) pso=violated(double-free)
// check: -DNOT_FREED --keep-going --cross-check sc=holds tso=holds pso=holds
//
// A thread that is alone loads a pointer and frees that in one step: the load decides whose memory ends, and
// so whose names become free.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic shared;

static void *first(void *unused) {
  shared = malloc(4);
  return unused;
}

static void *second(void *unused) {
  int *memory = malloc(4);
  shared = memory;
#ifndef NOT_FREED
  free(memory);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#if defined CONDITION
  if (shared)
    free(shared);
#elif defined REALLOC
  shared = realloc(shared, 8);
#else
  free(shared);
#endif
  return 0;
}
