// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DC11 sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: --engine=symbolic -DC11 sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: -DWAITS sc=violated(wait-without-mutex) tso=violated(wait-without-mutex) pso=violated(wait-without-mutex)
//
// A thread that does not hold a recursive mutex gets an error code of POSIX where it unlocks it. C11 does not
// define that, nor POSIX what a wait with such a mutex does.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t other_mutex;

static void *other(void *unused) {
#if defined C11
  mtx_unlock(&other_mutex);
#elif defined WAITS
  pthread_cond_wait(&condition, &mutex);
#else
  assert(pthread_mutex_unlock(&mutex) == EPERM);
#endif
  return unused;
}

int main(void) {
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &recursive);
  mtx_init(&other_mutex, mtx_plain | mtx_recursive);
  pthread_mutex_lock(&mutex);
  mtx_lock(&other_mutex);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  return 0;
}
