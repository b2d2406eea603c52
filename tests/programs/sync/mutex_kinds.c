// check: sc=holds tso=holds pso=holds states=sc:69,tso:60,pso:60
// check: -DSTATIC sc=holds tso=holds pso=holds states=sc:69,tso:60,pso:60
// check: -DRELOCK sc=violated(relock) tso=violated(relock) pso=violated(relock) states=sc:18,tso:15,pso:15
// check: -DUNLOCK_TOO_OFTEN sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) states=sc:18,tso:15,pso:15
// check: -DNOT_TIMED sc=violated(invalid-argument) tso=violated(invalid-argument) pso=violated(invalid-argument) states=sc:18,tso:15,pso:15
// check: -DROBUST sc=refused(robust) tso=refused(robust) pso=refused(robust)
// check: -DATTRIBUTES sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) states=sc:1,tso:1,pso:1
//
// Recursive, error-checking and normal mutexes, by attribute or static initialiser.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t normal = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
static int counter;

static void make(pthread_mutex_t *mutex, int kind) {
  pthread_mutexattr_t attributes;
  int found;
#ifndef ATTRIBUTES
  assert(pthread_mutexattr_init(&attributes) == 0);
#else
  *(int *)&attributes = 0;
#endif
  assert(pthread_mutexattr_settype(&attributes, kind) == 0);
  assert(pthread_mutexattr_gettype(&attributes, &found) == 0 && found == kind);
  assert(pthread_mutexattr_settype(&attributes, 77) == EINVAL);
  assert(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0);
#ifdef ROBUST
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
  assert(pthread_mutex_init(mutex, &attributes) == 0);
  assert(pthread_mutexattr_destroy(&attributes) == 0);
}

static void *other(void *unused) {
  assert(pthread_mutex_unlock(&checking) == EPERM);
  pthread_mutex_lock(&recursive);
  counter++;
  pthread_mutex_unlock(&recursive);
  return unused;
}

int main(void) {
#ifndef STATIC
  make(&recursive, PTHREAD_MUTEX_RECURSIVE);
  make(&checking, PTHREAD_MUTEX_ERRORCHECK);
  make(&normal, PTHREAD_MUTEX_NORMAL);
#endif
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_trylock(&recursive) == 0);
  int before = counter;
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(counter == before);
  assert(pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_lock(&checking) == 0);
  assert(pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_trylock(&checking) == EBUSY);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_unlock(&checking) == EPERM);
  pthread_mutex_lock(&normal);
#ifdef RELOCK
  pthread_mutex_lock(&normal);
#endif
  pthread_mutex_unlock(&normal);
#ifdef UNLOCK_TOO_OFTEN
  pthread_mutex_unlock(&normal);
#endif
  pthread_join(thread, NULL);
  mtx_t plain, again;
  assert(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&again, mtx_recursive | mtx_timed) == thrd_success);
  assert(mtx_lock(&plain) == thrd_success && mtx_trylock(&plain) == thrd_busy && mtx_unlock(&plain) == thrd_success);
  assert(mtx_lock(&again) == thrd_success && mtx_trylock(&again) == thrd_success);
  mtx_unlock(&again);
  mtx_unlock(&again);
  struct timespec soon = {1, 0};
  assert(mtx_timedlock(&again, &soon) == thrd_success && mtx_unlock(&again) == thrd_success);
#ifdef NOT_TIMED
  mtx_timedlock(&plain, &soon);
#endif
  mtx_destroy(&plain);
  mtx_destroy(&again);
  return 0;
}
