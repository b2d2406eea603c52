// check: sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice) at=12 related=11 states=sc:3,tso:3,pso:3
//
// A thread is joined a second time.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  pthread_join(thread, NULL);
  return 0;
}
