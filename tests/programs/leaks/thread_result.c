// check: --leaks sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
// check: --leaks -DDETACHED sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=11 related=11 states=sc:8,tso:8,pso:8
// check: --leaks -DDROPPED sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=14 related=11 states=sc:4,tso:4,pso:4
//
// A thread leaves a block as its result: nobody has it until the join, and it is not lost. A detached thread's is, and so is one that the join drops.
#include <pthread.h>
#include <stdlib.h>

static void *producer(void *unused) {
  (void)unused;
  return malloc(8);
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, producer, NULL);
#ifdef DETACHED
  pthread_detach(thread);
  pthread_exit(NULL);
#elif defined DROPPED
  pthread_join(thread, NULL);
#else
  pthread_join(thread, &result);
  free(result);
#endif
  return 0;
}
