// check: --leaks sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks=all sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=14 related=15 states=sc:1,tso:1,pso:1
// check: --leaks -DINTERIOR sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks -DUNALIGNED sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks -DLOCAL sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=14 related=15 states=sc:1,tso:1,pso:1
//
// A block that a global variable still leads to when the process ends; one that only a local variable of main led to.
#include <stdlib.h>
#include <string.h>

static char *slot;
static char bytes[16];

int main(void) {
  char *block = malloc(8);
#ifdef INTERIOR
  slot = block + 8;
#elif defined UNALIGNED
  memcpy(bytes + 3, &block, sizeof block);
#elif !defined LOCAL
  slot = block;
#endif
  return 0;
}
