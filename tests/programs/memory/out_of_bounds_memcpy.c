// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=19 related=12 states=sc:1,tso:1,pso:1
// check: -DSET sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=14 related=12 states=sc:1,tso:1,pso:1
// check: -DCOMPARE sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=17 related=12 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and allocation that nobody uses is removed
//
// The memory functions check every byte they touch.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char source[8] = "1234567";
  char *target = calloc(4, 1);
#if defined SET
  memset(target, source[0], 5);
#elif defined COMPARE
  memcpy(target, source, 4);
  return memcmp(target, source, 8);
#else
  memcpy(target, source, sizeof source);
#endif
  return 0;
}
