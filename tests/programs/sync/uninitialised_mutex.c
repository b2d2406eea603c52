// check: sc=violated(uninitialised-mutex) tso=violated(uninitialised-mutex) pso=violated(uninitialised-mutex) at=13 related=8 states=sc:1,tso:1,pso:1
// check: -DDESTROYED sc=violated(uninitialised-mutex) tso=violated(uninitialised-mutex) pso=violated(uninitialised-mutex) at=13 related=11,10 states=sc:1,tso:1,pso:1
//
// A mutex is locked that was never initialised, or that was destroyed before.
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
#ifdef DESTROYED
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_destroy(&mutex);
#endif
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
