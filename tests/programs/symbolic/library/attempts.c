// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DTRIES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DTRIES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DVALUE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DVALUE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DJOINS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DJOINS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// Attempts that do not wait may fail, and the value of a semaphore changes. Detached threads, and threads
// with attributes, are threads like others.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *work(void *argument) {
  assert(pthread_equal(pthread_self(), pthread_self()));
  sem_wait(&semaphore);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  pthread_attr_t attributes;
  sem_init(&semaphore, 0, 1);
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], &attributes, work, 0);
  assert(!pthread_equal(threads[0], threads[1]));
  sem_post(&semaphore);
#if defined TRIES
  int error = sem_trywait(&semaphore);
  assert(error == 0 || errno != EAGAIN);
  sem_post(&semaphore);
#elif defined VALUE
  int value = 0;
  sem_getvalue(&semaphore, &value);
  assert(value != 1);
#elif defined JOINS
  assert(pthread_tryjoin_np(threads[0], 0) == 0);
#else
  int value = 0;
  sem_getvalue(&semaphore, &value);
  assert(value <= 2);
  pthread_join(threads[0], 0);
#endif
  return 0;
}
