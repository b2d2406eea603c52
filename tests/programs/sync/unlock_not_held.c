// check: sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) at=11 related=none states=sc:2,tso:2,pso:2
// check: -DTWICE sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) at=11 related=21 states=sc:2,tso:2,pso:2
// check: -DOF_ANOTHER sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) at=11 related=18 states=sc:2,tso:2,pso:2
//
// A mutex is unlocked that nobody holds, that was just unlocked, or that another thread holds.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *helper(void *unused) {
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
#if defined OF_ANOTHER
  pthread_mutex_lock(&mutex);
#elif defined TWICE
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
#endif
  pthread_create(&thread, NULL, helper, NULL);
  pthread_join(thread, NULL);
  return 0;
}
