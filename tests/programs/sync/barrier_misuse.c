// check: -DDESTROY_WAITED sc=violated(destroy-waited) tso=violated(destroy-waited) pso=violated(destroy-waited) at=12 states=sc:4,tso:4,pso:4
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) at=28 states=sc:3,tso:3,pso:3
//
// What must not be done with a barrier.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier, never;

static void *destroys(void *unused) {
#ifdef DESTROY_WAITED
  pthread_barrier_destroy(&barrier);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_PRIVATE);
  pthread_barrier_init(&barrier, &attributes, 2);
  pthread_create(&thread, NULL, destroys, NULL);
#ifdef DESTROY_WAITED
  pthread_barrier_wait(&barrier);
#endif
#ifdef NEVER_INITIALISED
  pthread_barrier_wait(&never);
#endif
  (void)never;
  return 0;
}
