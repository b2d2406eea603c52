// check: sc=holds tso=holds pso=holds states=sc:233,tso:233,pso:233
// executions: sc=1 tso=1 pso=1
// executions: -DROUNDS=100 sc=1 tso=1 pso=1
// executions: -DROUNDS=20 -DN=4 sc=1 tso=1 pso=1
// executions: -DCHAIN=3 sc=1 tso=1 pso=1
// executions: -DCHAIN=150 sc=1 tso=1 pso=1
//
// Threads that create and join one thread after the other. More are created than there are numbers, so each of
// them has to use the number of the one before.
//
// With CHAIN each thread creates the next one, which waits for its creator's end. Few exist at any time, but each is
// the child of another one, so that numbers by creator run out.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef N
#define N 2
#endif

#ifdef CHAIN
static sem_t done;
static pthread_t links[CHAIN + 1];

static void *link_of(void *argument) {
  long at = (long)argument;
  if (at > 0)
    pthread_join(links[at - 1], NULL);
  if (at < CHAIN)
    pthread_create(&links[at + 1], NULL, link_of, (void *)(at + 1));
  else
    sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  pthread_create(&links[0], NULL, link_of, NULL);
  sem_wait(&done);
  pthread_join(links[CHAIN], NULL);
  return 0;
}
#else
static void *child(void *argument) {
  return argument;
}

static void *creator(void *argument) {
  for (long i = 0; i < ROUNDS; i++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, child, (void *)i);
    pthread_join(thread, &result);
    assert((long)result == i);
  }
  return argument;
}

int main(void) {
  pthread_t creators[N];
  for (int i = 0; i < N; i++)
    pthread_create(&creators[i], NULL, creator, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(creators[i], NULL);
  return 0;
}
#endif
