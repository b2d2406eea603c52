// check: sc=holds tso=holds pso=holds states=sc:42,tso:48,pso:48
// executions: sc=3 tso=4 pso=4
// executions: -DN=3 sc=7 tso=8 pso=8
// executions: -DN=4 sc=15 tso=16 pso=16
// executions: -DN=5 sc=31 tso=32 pso=32
// executions: -DN=6 sc=63 tso=64 pso=64
// executions: -DN=7 sc=127 tso=128 pso=128
// executions: -DN=8 sc=255 tso=256 pso=256
// executions: -DN=9 sc=511 tso=512 pso=512
// executions: -DN=10 sc=1023 tso=1024 pso=1024
//
// Threads in a ring: each stores to its own variable and loads its neighbour's. Every combination of what they see is possible with store
// buffers; without, all but the one in which nobody sees anything.
#include <pthread.h>

#ifndef N
#define N 2
#endif

int x[N], seen[N];

static void *node(void *argument) {
  long me = (long)argument;
  x[me] = 1;
  seen[me] = x[(me + 1) % N];
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, node, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
