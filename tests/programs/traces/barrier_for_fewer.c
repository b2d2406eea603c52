// check: sc=holds tso=holds pso=holds states=sc:3842,tso:4968,pso:4968
// check: -DIMPOSSIBLE=3 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:579,tso:794,pso:794
//
// Four threads meet in pairs at a barrier for two. Who meets whom is a choice: the round in which a thread
// arrives depends on how many arrived before. A thread never finds that it alone has written.
#include <assert.h>
#include <pthread.h>

#ifndef IMPOSSIBLE
#define IMPOSSIBLE 1
#endif

pthread_barrier_t barrier;
int written[3];

static void *work(void *argument) {
  long self = (long)argument;
  written[self] = 1;
  pthread_barrier_wait(&barrier);
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += written[i];
  if (self == 1)
    assert(sum != IMPOSSIBLE);
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  pthread_barrier_init(&barrier, NULL, 2);
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, (void *)(i % 3));
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
