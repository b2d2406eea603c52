// check: sc=holds tso=holds pso=holds states=sc:61,tso:146,pso:146
// executions: sc=6 tso=6 pso=6
// executions: -DN=3 sc=24 tso=24 pso=24
// executions: -DN=4 sc=120 tso=120 pso=120
// executions: -DN=5 sc=720 tso=720 pso=720
// executions: -DN=6 sc=5040 tso=5040 pso=5040
// executions: -DN=7 sc=40320 tso=40320 pso=40320
// executions: -DN=8 sc=362880 tso=362880 pso=362880
//
// N writers of one variable and one reader: every order of the N stores, and every place of the load among them, is another execution: (N + 1)!
#include <pthread.h>

#ifndef N
#define N 2
#endif

int x, seen;

static void *writer(void *argument) {
  x = (int)(long)argument;
  return NULL;
}

static void *reader(void *unused) {
  seen = x;
  return unused;
}

int main(void) {
  pthread_t threads[N + 1];
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, writer, (void *)(i + 1));
  pthread_create(&threads[N], NULL, reader, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
