// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:11,tso:11,pso:11
//
// The signal comes before the wait and is not remembered.
#include <pthread.h>

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
  pthread_create(&thread, NULL, signals, NULL);
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&go, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
