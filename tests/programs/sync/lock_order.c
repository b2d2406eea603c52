// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=11 related=11,10,11,10 states=sc:9,tso:9,pso:9
// check: -DSAME_ORDER sc=holds tso=holds pso=holds states=sc:14,tso:14,pso:14
//
// Two mutexes, taken in opposite orders.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *other(void *unused) {
#ifdef SAME_ORDER
  take(&left, &right);
#else
  take(&right, &left);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  take(&left, &right);
  pthread_join(thread, NULL);
  return 0;
}
