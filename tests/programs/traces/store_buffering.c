// check: sc=holds tso=holds pso=holds states=sc:42,tso:48,pso:48
// executions: sc=3 tso=4 pso=4
//
// The heart of Dekker's algorithm: Abdulla et al., "Stateless Model Checking for TSO and PSO", figure 1. That neither thread sees the other's store is the one
// execution that store buffers add.
#include <pthread.h>

int x, y, seen_by_first, seen_by_second;

static void *first(void *unused) {
  x = 1;
  seen_by_first = y;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  seen_by_second = x;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
