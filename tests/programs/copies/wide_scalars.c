// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DTYPE=_BitInt(128) sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DQUALIFIER=volatile sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DQUALIFIER=volatile --cflags=-O2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DQUALIFIER=_Atomic --cflags=-mcx16 sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// optimised: differs a compiler may load the two halves of a plain integer when it likes
//
// The machine accesses a plain or volatile integer of 16 bytes as two of 8, in any order. An atomic one is whole.
#include <assert.h>
#include <pthread.h>

#ifndef TYPE
#define TYPE unsigned __int128
#endif
#ifndef QUALIFIER
#define QUALIFIER
#endif

static QUALIFIER TYPE shared;

static void *writer(void *unused) {
  shared = ((TYPE)1 << 64) + 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  TYPE seen = shared;
  assert((long)(seen >> 64) == (long)seen);
  pthread_join(thread, NULL);
  return 0;
}
