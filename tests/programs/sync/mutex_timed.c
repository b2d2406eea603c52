// check: sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: -DALWAYS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:6,tso:6,pso:6
//
// A timed lock gets the mutex or times out, and never waits for ever.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec soon = {1, 0};
  pthread_create(&thread, NULL, holds, NULL);
  int result = pthread_mutex_timedlock(&mutex, &soon);
#ifdef ALWAYS
  assert(result == 0);
#endif
  assert(result == 0 || result == ETIMEDOUT);
  if (result == 0) {
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
