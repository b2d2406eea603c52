// check: sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DNEVER_IN_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DALWAYS_IN_TIME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:12,pso:12
// check: -DC11 sc=holds tso=holds pso=holds states=sc:23,tso:23,pso:23
//
// A timed wait may time out, or be woken in time; it never waits for ever.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;

static void *signals(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&go);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec soon = {.tv_sec = 1, .tv_nsec = 0};
#ifdef C11
  mtx_t own;
  cnd_t never;
  assert(mtx_init(&own, mtx_timed) == thrd_success && cnd_init(&never) == thrd_success);
  assert(mtx_timedlock(&own, &soon) == thrd_success);
  assert(cnd_timedwait(&never, &own, &soon) == thrd_timedout);
  assert(mtx_unlock(&own) == thrd_success);
#endif
  pthread_create(&thread, NULL, signals, NULL);
  pthread_mutex_lock(&mutex);
  int result = pthread_cond_timedwait(&go, &mutex, &soon);
#if defined NEVER_IN_TIME
  assert(result == ETIMEDOUT);
#elif defined ALWAYS_IN_TIME
  assert(result == 0);
#else
  assert(result == 0 || result == ETIMEDOUT);
#endif
  soon.tv_nsec = 1000000000;
  assert(pthread_cond_timedwait(&go, &mutex, &soon) == EINVAL);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
