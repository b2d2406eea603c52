// check: --cross-check sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: --engine=reads-from sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=refused(CLOCK_MONOTONIC)
//
// Threads wait by the time of day or the monotonic clock. With another clock a wait ends at once with EINVAL,
// also where it would not have to wait.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define CLOCK CLOCK_PROCESS_CPUTIME_ID

static void *nothing(void *argument) {
  return argument;
}

int main(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  static const struct timespec time = {1, 0};
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  assert(pthread_mutex_clocklock(&mutex, CLOCK, &time) == EINVAL);
  assert(pthread_rwlock_clockrdlock(&lock, CLOCK, &time) == EINVAL);
  assert(pthread_rwlock_clockwrlock(&lock, CLOCK, &time) == EINVAL);
  assert(sem_clockwait(&semaphore, CLOCK, &time) == -1 && errno == EINVAL);
  pthread_mutex_lock(&mutex);
  assert(pthread_cond_clockwait(&condition, &mutex, CLOCK, &time) == EINVAL);
  assert(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  assert(pthread_clockjoin_np(thread, NULL, CLOCK, &time) == EINVAL);
  pthread_join(thread, NULL);
  return 0;
}
