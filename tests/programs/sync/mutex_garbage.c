// check: sc=violated(uninitialised-mutex) tso=violated(uninitialised-mutex) pso=violated(uninitialised-mutex) at=14 states=sc:1,tso:1,pso:1
// check: -DHELD_BY_NOBODY sc=violated(uninitialised-mutex) tso=violated(uninitialised-mutex) pso=violated(uninitialised-mutex) at=14 states=sc:1,tso:1,pso:1
//
// A mutex in memory that holds something else.
#include <pthread.h>

int main(void) {
#ifdef HELD_BY_NOBODY
  int memory[10] = {0, 3};
#else
  int memory[10] = {77, 1, 99};
#endif
  pthread_mutex_t *mutex = (pthread_mutex_t *)memory;
  pthread_mutex_lock(mutex);
  return 0;
}
