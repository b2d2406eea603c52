// check: --cross-check sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
// check: --spurious-wakeups sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
// check: --engine=reads-from sc=holds tso=holds pso=holds
// check: -DFOR_EVER --cross-check sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:2,tso:2,pso:2
// check: -DFOR_EVER --engine=reads-from sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DFOR_EVER --spurious-wakeups sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:3,tso:3,pso:3
// check: -DFOR_EVER -DWOKEN --cross-check sc=holds tso=holds pso=holds states=sc:8,tso:7,pso:7
// check: -DFOR_EVER -DWOKEN --engine=reads-from sc=holds tso=holds pso=holds
// check: -DFOR_EVER -DWOKEN --engine=symbolic sc=unknown(symbolic-bounds)
// check: -DWOKEN --engine=symbolic sc=violated(assertion) tso=violated(assertion)
// check: -DWOKEN --cross-check sc=violated(assertion) tso=violated(assertion) states=sc:15,tso:13
// check: -DASKS --svcomp -DWOKEN --cross-check sc=violated(assertion) tso=violated(assertion) states=sc:32,tso:27
// check: -DASKS --svcomp --engine=symbolic sc=unknown(symbolic-bounds)
// check: -DASKS --svcomp --spurious-wakeups sc=violated(deadlock) states=sc:8
//
// A wait whose time was over when it began ends with ETIMEDOUT, or is woken, but not for no reason. A wait
// for longer than any clock runs (FOR_EVER: `time_point::max()` of C++) ends if it is woken only.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

long __VERIFIER_nondet_long(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static bool is_set;

static void *set(void *unused) {
  pthread_mutex_lock(&mutex);
  is_set = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
#if defined(FOR_EVER)
  const struct timespec time = {9223372036, 854775807};
#elif defined(ASKS)
  const struct timespec time = {__VERIFIER_nondet_long(), 0};
#else
  const struct timespec time = {1, 0};
#endif
  int result = ETIMEDOUT;
  pthread_mutex_lock(&mutex);
#ifdef WOKEN
  pthread_t thread;
  pthread_create(&thread, NULL, set, NULL);
  if (!is_set)
    result = pthread_cond_timedwait(&condition, &mutex, &time);
  assert(is_set);
#else
  (void)set;
  result = pthread_cond_timedwait(&condition, &mutex, &time);
  assert(result == ETIMEDOUT);
#endif
  pthread_mutex_unlock(&mutex);
  return 0;
}
