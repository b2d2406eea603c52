// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:23,tso:23,pso:23
// check: -DTHREADS=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:4,tso:4,pso:4
// check: -DUNUSED sc=holds tso=holds pso=holds states=sc:17,tso:17,pso:17
//
// Which thread is the barrier's serial one is a choice where results are used, also where a result is only one of
// two values that a variable may have.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif

pthread_barrier_t barrier;
int got[THREADS];

static void *work(void *argument) {
  long self = (long)argument;
  int result = 7;
  if (self < THREADS)
    result = pthread_barrier_wait(&barrier);
#ifdef UNUSED
  result = 0;
#endif
  got[self] = result;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (long i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(got[0] == 0);
  return 0;
}
