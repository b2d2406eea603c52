// check: sc=holds tso=holds pso=holds states=sc:15,tso:13,pso:13
// check: -DBROADCAST sc=holds tso=holds pso=holds states=sc:15,tso:13,pso:13
// check: -DIF sc=holds tso=holds pso=holds states=sc:15,tso:13,pso:13
// check: -DIF --spurious-wakeups sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:16,pso:16
// check: --spurious-wakeups sc=holds tso=holds pso=holds states=sc:19,tso:16,pso:16
// check: -DC11 sc=holds tso=holds pso=holds states=sc:15,tso:13,pso:13
// check: --races sc=holds tso=holds pso=holds states=sc:15,tso:13,pso:13
//
// A consumer waits until there is something. With `if` instead of `while` it counts on waking up only for a reason.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

#ifdef C11
static mtx_t mutex;
static cnd_t filled;
#define LOCK assert(mtx_lock(&mutex) == thrd_success)
#define UNLOCK assert(mtx_unlock(&mutex) == thrd_success)
#define WAIT assert(cnd_wait(&filled, &mutex) == thrd_success)
#define SIGNAL assert(cnd_signal(&filled) == thrd_success)
#else
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#define LOCK pthread_mutex_lock(&mutex)
#define UNLOCK pthread_mutex_unlock(&mutex)
#define WAIT pthread_cond_wait(&filled, &mutex)
#ifdef BROADCAST
#define SIGNAL pthread_cond_broadcast(&filled)
#else
#define SIGNAL pthread_cond_signal(&filled)
#endif
#endif

static int items;

static void *produce(void *unused) {
  LOCK;
  items++;
  SIGNAL;
  UNLOCK;
  return unused;
}

int main(void) {
#ifdef C11
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&filled) == thrd_success);
#endif
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  LOCK;
#ifdef IF
  if (items == 0)
#else
  while (items == 0)
#endif
    WAIT;
  assert(items == 1);
  UNLOCK;
  pthread_join(producer, NULL);
#ifdef C11
  cnd_destroy(&filled);
  mtx_destroy(&mutex);
#else
  assert(pthread_cond_destroy(&filled) == 0);
#endif
  return 0;
}
