// check: -DOFFSET=60 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: --engine=dpor -DOFFSET=60 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DOFFSET=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DOFFSET=8 sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
// check: -DOFFSET=62 -DTYPE=int sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DOFFSET=58 -DTYPE=int sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
// check: -DOFFSET=63 -DTYPE=short sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:20,pso:20
// check: -DOFFSET=61 -DTYPE=short sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
//
// A misaligned access is one access if it lies within an aligned word of 8 bytes: that is what all x86-64 processors promise.
#include <assert.h>
#include <pthread.h>

#ifndef TYPE
#define TYPE long
#endif

typedef TYPE __attribute__((aligned(1))) misaligned;

static char block[128] __attribute__((aligned(64)));

static void *writer(void *unused) {
  *(volatile misaligned *)(block + OFFSET) = (TYPE)-1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  TYPE seen = *(volatile misaligned *)(block + OFFSET);
  assert(seen == 0 || seen == (TYPE)-1);
  pthread_join(thread, NULL);
  return 0;
}
