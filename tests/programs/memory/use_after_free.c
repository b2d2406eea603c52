// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=20 related=14,9 states=sc:1,tso:1,pso:1
// check: -DWRITE sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=17 related=14,9 states=sc:1,tso:1,pso:1
// check: -DREALLOC sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=20 related=11,9 states=sc:1,tso:1,pso:1
//
// A block is used after it was freed, or by its old address after realloc moved it.
#include <stdlib.h>

int main(void) {
  int *block = calloc(2, sizeof *block);
#if defined REALLOC
  int *larger = realloc(block, 400 * sizeof *block);
  larger[0] = 1;
#else
  free(block);
#endif
#if defined WRITE
  block[0] = 1;
  return 0;
#else
  return block[0];
#endif
}
