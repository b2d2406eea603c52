// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=17 related=17,9 states=sc:4,tso:4,pso:4
//
// A thread ends with the mutex in its hands; main waits for ever.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, forgetful, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&mutex);
  return 0;
}
