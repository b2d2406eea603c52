// check: sc=violated(join-self) tso=violated(join-self) pso=violated(join-self) at=7 related=none states=sc:1,tso:1,pso:1
//
// A thread waits for itself.
#include <pthread.h>

int main(void) {
  pthread_join(pthread_self(), NULL);
  return 0;
}
