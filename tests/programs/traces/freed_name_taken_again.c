// check: sc=violated(double-free) tso=violated(double-free) pso=violated(double-free) states=sc:16,tso:15,pso:15
//
// A thread frees memory twice. If the other thread allocates in between, the second `free` may end that memory:
// with --keep-going such an execution has a final state.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) known;

static void *frees_twice(void *unused) {
  free(atomic_load_explicit(&known, memory_order_relaxed));
  free(atomic_exchange_explicit(&known, NULL, memory_order_relaxed));
  return unused;
}

int main(void) {
  pthread_t thread;
  known = malloc(sizeof(int));
  pthread_create(&thread, NULL, frees_twice, NULL);
  free(atomic_load_explicit(&known, memory_order_relaxed));
  atomic_store_explicit(&known, malloc(sizeof(int)), memory_order_relaxed);
  pthread_join(thread, NULL);
  return 0;
}
