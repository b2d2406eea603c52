// check: sc=violated(join-self) tso=violated(join-self) pso=violated(join-self)
//
// A thread waits for itself.
#include <pthread.h>

int main(void) {
  pthread_join(pthread_self(), NULL);
  return 0;
}
