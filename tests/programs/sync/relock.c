// check: sc=violated(relock) tso=violated(relock) pso=violated(relock) at=10 related=9 states=sc:1,tso:1,pso:1
//
// A thread locks a default mutex that it holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
