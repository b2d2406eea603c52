// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=11 related=12 states=sc:1,tso:1,pso:1
// check: --leaks -DFREE sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks=all -DFREE sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// The only pointer to a block is overwritten.
#include <stdlib.h>

static int *slot;

int main(void) {
  slot = malloc(sizeof *slot);
#ifdef FREE
  free(slot);
#endif
  slot = malloc(sizeof *slot);
  free(slot);
  return 0;
}
