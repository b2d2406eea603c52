// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:7,tso:4,pso:4
// check: -DOTHER sc=holds tso=holds pso=holds states=sc:10,tso:7,pso:7
// check: -DTWO sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:21,tso:5,pso:5
//
// A thread waits for another value than the one that it stored itself. If its own store reaches memory last,
// it waits for ever, although it never asks which of the two came last: it reads its own store while that is
// delayed. With OTHER it waits for a value that both store. With TWO, two threads wait for each other's value
// of two variables.
//
// optimised: differs the compiler assumes that a loop over plain variables ends
#include <pthread.h>

int flag, other;

static void *wait_for_main(void *unused) {
  flag = 0;
#ifdef TWO
  other = 1;
  while (flag == 0 || other == 1)
    ;
#elif defined OTHER
  while (flag != 0 && flag != 1)
    ;
#else
  while (flag == 0)
    ;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_main, NULL);
  flag = 1;
#ifdef TWO
  other = 2;
  while (other == 2)
    ;
#endif
  pthread_join(thread, NULL);
  return 0;
}
