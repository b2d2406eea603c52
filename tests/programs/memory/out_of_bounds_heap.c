// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=26 related=12 states=sc:1,tso:1,pso:1
// check: -DREAD sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=14 related=12 states=sc:1,tso:1,pso:1
// check: -DBEFORE sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=18 related=12 states=sc:1,tso:1,pso:1
// check: -DSTRADDLE sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=20 related=12 states=sc:1,tso:1,pso:1
// check: -DINSIDE sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and allocation that nobody uses is removed
//
// Accesses next to, across and at the ends of a heap block.
#include <stdlib.h>

int main(void) {
  char *block = calloc(8, 1);
#if defined READ
  char last = block[8];
  (void)last;
#elif defined BEFORE
  int index = -1;
  block[index] = 1;
#elif defined STRADDLE
  *(int *)(block + 5) = 1;
#elif defined INSIDE
  block[0] = block[7] = 1;
  for (char *at = block; at != block + 8; at++)
    *at = 2;
#else
  block[8] = 1;
#endif
  free(block);
  return 0;
}
