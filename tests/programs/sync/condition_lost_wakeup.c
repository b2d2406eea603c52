// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:117,tso:103,pso:103
// check: -DBROADCAST sc=holds tso=holds pso=holds states=sc:100,tso:87,pso:87
//
// Two consumers with different needs wait at one condition variable. The signal may wake the one that cannot use it: then nobody goes on.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left, right;

static void *consume(void *argument) {
  int *wanted = argument;
  pthread_mutex_lock(&mutex);
  while (*wanted == 0)
    pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void provide(int *what) {
  pthread_mutex_lock(&mutex);
  *what = 1;
#ifdef BROADCAST
  pthread_cond_broadcast(&changed);
#else
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&mutex);
}

int main(void) {
  pthread_t consumers[2];
  pthread_create(&consumers[0], NULL, consume, &left);
  pthread_create(&consumers[1], NULL, consume, &right);
  provide(&left);
  provide(&right);
  pthread_join(consumers[0], NULL);
  pthread_join(consumers[1], NULL);
  return 0;
}
