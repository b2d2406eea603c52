// check: --svcomp sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error) states=sc:5,tso:5,pso:5
// check: --svcomp -DHOLDS sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
//
// A failed assumption loops for ever in its own thread. The others go on, and what they do wrong counts; that they then have nothing left to do is no deadlock.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_assume(int);

int gate;

static void *blocked(void *unused) {
  gate = 1;
  __VERIFIER_assume(0);
  reach_error();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, blocked, 0);
#ifndef HOLDS
  if (gate == 1)
    reach_error();
#endif
  pthread_join(thread, 0);
  return 0;
}
