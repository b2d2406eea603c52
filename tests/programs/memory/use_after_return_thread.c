// check: sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) at=7 related=14,12 states=sc:5,tso:5,pso:5
//
// A thread gets the address of a variable whose function returns before the thread uses it.
#include <pthread.h>

static void *reader(void *argument) {
  return *(int *)argument ? argument : NULL;
}

static pthread_t start(void) {
  pthread_t thread;
  int job = 7;
  pthread_create(&thread, NULL, reader, &job);
  return thread;
}

int main(void) {
  pthread_t thread = start();
  pthread_join(thread, NULL);
  return 0;
}
