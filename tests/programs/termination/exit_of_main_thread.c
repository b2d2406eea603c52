// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:5,tso:4,pso:4
//
// pthread_exit in main ends one thread only: the other goes on, to its failing assertion.
#include <assert.h>
#include <pthread.h>

static volatile int main_is_leaving;

static void *wait_and_fail(void *unused) {
  while (!main_is_leaving)
    ;
  assert(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_and_fail, NULL);
  main_is_leaving = 1;
  pthread_exit(NULL);
}
