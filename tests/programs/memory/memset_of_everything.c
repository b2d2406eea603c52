// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=8 related=none states=sc:1,tso:1,pso:1
//
// A length that wraps around the address space.
#include <string.h>
char a[16];
int main(void) {
  volatile size_t n = (size_t)-1;
  memset(a + 1, 0, n);
  return 0;
}
