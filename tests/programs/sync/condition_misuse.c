// check: -DWITHOUT_MUTEX sc=violated(wait-without-mutex) tso=violated(wait-without-mutex) pso=violated(wait-without-mutex) at=52 states=sc:1,tso:1,pso:1
// check: -DTWO_MUTEXES sc=violated(wait-two-mutexes) tso=violated(wait-two-mutexes) pso=violated(wait-two-mutexes) states=sc:20,tso:16,pso:16
// check: -DDESTROY_WAITED sc=violated(destroy-waited) tso=violated(destroy-waited) pso=violated(destroy-waited) at=65 states=sc:37,tso:28,pso:28
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) at=68 states=sc:1,tso:1,pso:1
// check: -DGARBAGE sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) at=72 states=sc:1,tso:1,pso:1
// check: -DDESTROYED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) at=76 states=sc:1,tso:1,pso:1
// check: -DDESTROY_WOKEN sc=holds tso=holds pso=holds states=sc:57,tso:42,pso:42
//
// What must not be done with a condition variable. To destroy it when all were woken is allowed, even before they have run.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *condition;
static int waiting;

static void *waits(void *unused) {
  pthread_mutex_lock(&first);
  waiting = 1;
  pthread_cond_wait(condition, &first);
  pthread_mutex_unlock(&first);
  return unused;
}

static pthread_t start(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  return thread;
}

static int until_it_waits(void) {
  pthread_mutex_lock(&first);
  int found = waiting;
  pthread_mutex_unlock(&first);
  return found;
}

int main(void) {
  pthread_cond_t one;
  pthread_t thread;
  condition = malloc(sizeof *condition);
#ifdef GARBAGE
  memset(condition, 0x5A, sizeof *condition);
#elif !defined NEVER_INITIALISED
  pthread_cond_init(condition, NULL);
#endif
  (void)one;
  (void)thread;
#ifdef WITHOUT_MUTEX
  pthread_mutex_lock(&second);
  pthread_cond_wait(condition, &first);
#endif
#ifdef TWO_MUTEXES
  thread = start();
  pthread_mutex_lock(&second);
  pthread_cond_wait(condition, &second);
#endif
#ifdef DESTROY_WAITED
  thread = start();
  if (!until_it_waits()) {
    pthread_detach(thread);
    exit(0);
  }
  pthread_cond_destroy(condition);
#endif
#ifdef NEVER_INITIALISED
  pthread_cond_signal(condition);
#endif
#ifdef GARBAGE
  memset(&one, 0, sizeof one);
  pthread_cond_broadcast(condition);
#endif
#ifdef DESTROYED
  pthread_cond_destroy(condition);
  pthread_cond_signal(condition);
#endif
#ifdef DESTROY_WOKEN
  thread = start();
  if (!until_it_waits())
    exit(0);
  pthread_cond_broadcast(condition);
  pthread_cond_destroy(condition);
  free(condition);
  pthread_join(thread, NULL);
#endif
  return 0;
}
