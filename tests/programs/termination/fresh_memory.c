// check: -DORDER=memory_order_release sc=holds tso=holds pso=holds states=sc:8,tso:6,pso:6
// check: -DORDER=memory_order_release --buffer-bound=32 sc=holds tso=holds pso=unknown(buffer-bound) states=sc:8,tso:6
// check: -DORDER=memory_order_relaxed sc=holds tso=holds pso=violated(assertion) states=sc:8,tso:6,pso:6
// check: -DORDER=memory_order_release -DN=4096 pso=holds states=pso:6
//
// New memory is filled and then shown to another thread. Under PSO the stores may be overtaken by the one that shows it, so all are pending until then: more than a
// buffer has at first. The bound is raised unless it was given.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 512
#endif

static char *_Atomic shown;

static void *look(void *unused) {
  char *memory = atomic_load_explicit(&shown, memory_order_acquire);
  if (memory)
    assert(memory[N - 1] == 7);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, NULL);
  char *memory = calloc(1, N);
  memset(memory, 7, N);
  atomic_store_explicit(&shown, memory, ORDER);
  pthread_join(thread, NULL);
  free(memory);
  return 0;
}
