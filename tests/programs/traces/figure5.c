// check: sc=holds tso=holds pso=holds states=sc:20,tso:33,pso:33
// executions: sc=3 tso=3 pso=3
//
// Abdulla et al., "Stateless Model Checking for TSO and PSO", figure 5. Six orders of two updates and a load of one variable, but three different things can
// happen: it makes no difference whether a load is satisfied by its own thread's buffer or by memory.
#include <pthread.h>

int x, seen;

static void *writes_and_reads(void *unused) {
  x = 1;
  seen = x;
  return unused;
}

static void *writes(void *unused) {
  x = 2;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writes_and_reads, NULL);
  pthread_create(&threads[1], NULL, writes, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
