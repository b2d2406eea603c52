// check: sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
//
// The end of main ends the program, whatever its threads do.
#include <pthread.h>

static volatile int go_on = 1;

static void *run(void *unused) {
  while (go_on)
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  return 0;
}
