// check: sc=holds tso=holds pso=holds states=sc:52,tso:34,pso:34
// check: -DUNORDERED sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:39,tso:26,pso:26
// check: -DNOBODY_POSTS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:4,tso:3,pso:3
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) states=sc:2,tso:2,pso:2
// check: -DDESTROYED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) states=sc:36,tso:31,pso:31
//
// A ring of one place between two semaphores, and the codes of their functions. Operations on semaphores are full fences.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t empty, full;
static int place, x, y, saw_x, saw_y;

static void *produce(void *unused) {
  for (int i = 1; i <= 2; i++) {
    sem_wait(&empty);
    place = i;
#ifndef NOBODY_POSTS
    sem_post(&full);
#endif
  }
  return unused;
}

static void *crosses(void *unused) {
  x = 1;
#ifndef UNORDERED
  sem_post(&full);
#endif
  saw_y = y;
  return unused;
}

int main(void) {
  pthread_t thread;
  int value;
#ifndef NEVER_INITIALISED
  assert(sem_init(&empty, 0, 1) == 0);
#endif
  assert(sem_init(&full, 0, 0) == 0);
  pthread_create(&thread, NULL, produce, NULL);
  for (int i = 1; i <= 2; i++) {
    assert(sem_wait(&full) == 0);
    assert(place == i);
    sem_post(&empty);
  }
  pthread_join(thread, NULL);

  struct timespec soon = {1, 0};
  assert(sem_getvalue(&empty, &value) == 0 && value == 1);
  assert(sem_trywait(&empty) == 0);
  errno = 0;
  assert(sem_trywait(&empty) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&empty, &soon) == -1 && errno == ETIMEDOUT);
  soon.tv_nsec = -1;
  assert(sem_timedwait(&empty, &soon) == -1 && errno == EINVAL);

  pthread_create(&thread, NULL, crosses, NULL);
  y = 1;
#ifndef UNORDERED
  sem_post(&empty);
#endif
  saw_x = x;
  pthread_join(thread, NULL);
  assert(saw_x == 1 || saw_y == 1);

  assert(sem_destroy(&empty) == 0);
#ifdef DESTROYED
  sem_post(&empty);
#endif
  sem_destroy(&full);
  return 0;
}
