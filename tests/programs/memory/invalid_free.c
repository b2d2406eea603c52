// check: sc=violated(invalid-free) tso=violated(invalid-free) pso=violated(invalid-free) at=23 related=14 states=sc:1,tso:1,pso:1
// check: -DGLOBAL sc=violated(invalid-free) tso=violated(invalid-free) pso=violated(invalid-free) at=23 related=none states=sc:1,tso:1,pso:1
// check: -DSTACK sc=violated(invalid-free) tso=violated(invalid-free) pso=violated(invalid-free) at=23 related=13 states=sc:1,tso:1,pso:1
// check: -DNULL_POINTER sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and allocation that nobody uses is removed
//
// free of what malloc did not return; free of a null pointer is allowed.
#include <stdlib.h>

static int global;

int main(void) {
  int local = 0;
  int *block = malloc(2 * sizeof *block);
  int *pointer = block + 1;
#if defined GLOBAL
  pointer = &global;
#elif defined STACK
  pointer = &local;
#elif defined NULL_POINTER
  pointer = NULL;
#endif
  free(pointer);
  free(block);
  return global + local;
}
