// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DIN_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DIN_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DLATE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DLATE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DNO_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DNO_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSEMAPHORE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DSEMAPHORE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DMUTEX sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DMUTEX sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DJOIN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DJOIN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DRWLOCK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DRWLOCK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A wait with a time may end at any moment, and has an error code then; what is no time is another error.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t semaphore;
static int is_ready;

static void *provide(void *unused) {
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec time = {1, 0};
#ifdef NO_TIME
  time.tv_nsec = 1000000000;
#endif
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, provide, 0);
#if defined SEMAPHORE
  int error = sem_timedwait(&semaphore, &time);
  assert(error == 0 || errno != ETIMEDOUT);
#elif defined MUTEX
  assert(pthread_mutex_timedlock(&mutex, &time) != ETIMEDOUT);
#elif defined RWLOCK
  assert(pthread_rwlock_timedrdlock(&lock, &time) != ETIMEDOUT);
#elif defined JOIN
  assert(pthread_timedjoin_np(thread, 0, &time) != ETIMEDOUT);
#else
  int error = 0;
  pthread_mutex_lock(&mutex);
  while (!is_ready && error == 0)
    error = pthread_cond_timedwait(&changed, &mutex, &time);
#if defined IN_TIME
  assert(is_ready);
#elif defined LATE
  assert(!(is_ready && error == ETIMEDOUT));
#elif defined NO_TIME
  assert(error != EINVAL);
#else
  assert(is_ready || error == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#endif
  return 0;
}
