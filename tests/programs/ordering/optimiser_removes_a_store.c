// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:6,tso:7,pso:7
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
// optimised: differs a data race, this is what the program is about
//
// Compiled as written, the other thread can see the intermediate value of a plain variable; the optimiser removes it.
#include <assert.h>
#include <pthread.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  x = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  assert(x != 1);
  pthread_join(thread, NULL);
  return 0;
}
