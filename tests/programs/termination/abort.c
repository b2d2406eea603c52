// check: sc=violated(abort) tso=violated(abort) pso=violated(abort) states=sc:2,tso:2,pso:2
//
// A thread aborts the program.
#include <pthread.h>
#include <stdlib.h>

static void *give_up(void *unused) {
  (void)unused;
  abort();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, give_up, NULL);
  pthread_join(thread, NULL);
  return 0;
}
