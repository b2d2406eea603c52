// check: sc=holds tso=holds pso=holds states=sc:11,tso:7,pso:8
// check: -DNO_HANDLER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:11,tso:8,pso:8
//
// Cleanup handlers run when their thread exits in a function it calls, innermost first, and when they are popped for that.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[3], ran;

static void unlock(void *argument) {
  order[ran++] = 1;
#ifndef NO_HANDLER
  pthread_mutex_unlock(argument);
#else
  (void)argument;
#endif
}

static void note(void *argument) { order[ran++] = *(int *)argument; }

static void leaves(void) { pthread_exit(&ran); }

static void *work(void *unused) {
  int two = 2, three = 3;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push(note, &three);
  pthread_cleanup_pop(0);
  pthread_cleanup_push(note, &two);
  leaves();
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return unused;
}

static void *pops(void *unused) {
  int three = 3;
  pthread_cleanup_push(note, &three);
  pthread_cleanup_pop(1);
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, &result);
  assert(result == &ran && ran == 2 && order[0] == 2 && order[1] == 1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pops(NULL);
  assert(ran == 3 && order[2] == 3);
  return 0;
}
