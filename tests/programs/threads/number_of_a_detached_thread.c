// check: sc=holds tso=holds pso=holds states=sc:22,tso:21,pso:21
//
// What a detached thread was called may be what the next one is called. Only one of the engines gives its name away; when both check a program, neither does.
#include <pthread.h>

static pthread_t first, second;
static volatile int done;

static void *detached(void *unused) {
  pthread_detach(pthread_self());
  done = 1;
  return unused;
}

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_create(&first, NULL, detached, NULL);
  while (!done)
    ;
  pthread_create(&second, NULL, nothing, NULL);
  pthread_join(second, NULL);
  return 0;
}
