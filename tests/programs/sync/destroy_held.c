// check: sc=violated(destroy-held) tso=violated(destroy-held) pso=violated(destroy-held) at=10 related=9,8 states=sc:1,tso:1,pso:1
//
// A mutex is destroyed while it is held.
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_lock(&mutex);
  pthread_mutex_destroy(&mutex);
  return 0;
}
