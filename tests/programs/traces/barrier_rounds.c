// check: sc=holds tso=holds pso=holds states=sc:542,tso:505,pso:505
// check: -DLOOKERS=3 sc=holds tso=holds pso=holds states=sc:3858,tso:2379,pso:2379
// check: -DLOOKERS=1 sc=holds tso=holds pso=holds states=sc:1592,tso:1305,pso:1305
// check: -DLOOKERS=3 -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:3858,tso:2379,pso:2379
// check: -DMEMBERS=2 sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:138,tso:138,pso:138
// check: -DN=4 -DK=1 -DMEMBERS=2 sc=holds tso=holds pso=holds states=sc:135,tso:135,pso:135
// executions: sc=1 tso=1 pso=1
// executions: -DN=5 -DK=4 sc=1 tso=1 pso=1
// executions: -DLOOKERS=3 sc=9 tso=9 pso=9
// executions: -DLOOKERS=3 -DK=3 sc=27 tso=27 pso=27
// executions: -DN=4 -DLOOKERS=4 sc=16 tso=16 pso=16
// executions: -DLOOKERS=1 -DK=3 sc=8 tso=8 pso=8
// executions: -DLOOKERS=2 sc=9 tso=9 pso=9
//
// N threads meet K times at a barrier. In which order they arrive makes no difference: one execution. Who is the serial
// thread is a choice where somebody looks: among those that look, and the others together. What was written before a
// round is seen after it. Where the barrier is for fewer threads than there are, who meets whom is a choice, too.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
#ifndef LOOKERS
#define LOOKERS 0
#endif
#ifndef MEMBERS
#define MEMBERS N
#endif

pthread_barrier_t barrier;
int written[N], serial[K][N];

static void *work(void *argument) {
  long self = (long)argument;
  for (int round = 0; round < K; round++) {
#if MEMBERS == N
    written[self] = round + 1;
#endif
    if (self < LOOKERS)
      serial[round][self] = pthread_barrier_wait(&barrier);
    else
      pthread_barrier_wait(&barrier);
#if MEMBERS == N
    for (int other = 0; other < N; other++)
      assert(written[other] >= round + 1);
    pthread_barrier_wait(&barrier);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  pthread_barrier_init(&barrier, NULL, MEMBERS);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  for (int round = 0; round < K; round++) {
    int found = 0;
    for (int i = 0; i < LOOKERS; i++)
      found += serial[round][i] == PTHREAD_BARRIER_SERIAL_THREAD;
#if LOOKERS == N
    assert(found == 1);
#else
    assert(found <= 1);
#endif
#ifdef WRONG
    assert(serial[round][2] == 0);
#endif
  }
  pthread_barrier_destroy(&barrier);
  return 0;
}
