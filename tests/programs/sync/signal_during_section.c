// check: sc=holds tso=holds pso=holds states=sc:156,tso:123,pso:123
// check: -DNEVER_BOTH sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:150,tso:106,pso:106
// executions: sc=60 tso=60 pso=60
//
// A thread is woken while another one is in the section that it is to go on in. It may also go on before the other one gets there, and that is not where it could time out instead: an
// engine that looks for one place only where the end of the wait may come earlier finds the one before the signal, and misses this.
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int ready, woken, seen;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t go = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = {.tv_sec = 1};

static void *wait_and_say(void *unused) {
  pthread_mutex_lock(&mutex);
  woken = pthread_cond_timedwait(&go, &mutex, &soon) == 0;
  ready = 1;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *look(void *unused) {
  pthread_mutex_lock(&mutex);
  if (ready)
    seen = 1;
  else
    pthread_cond_timedwait(&go, &mutex, &soon);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, wait_and_say, NULL);
  pthread_create(&second, NULL, look, NULL);
  pthread_cond_signal(&go);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
#ifdef NEVER_BOTH
  assert(!woken || !seen);
#endif
  return 0;
}
