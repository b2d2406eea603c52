// check: --leaks sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --leaks=all sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=9 related=14 states=sc:1,tso:1,pso:1
//
// The process ends inside a function whose caller still has the block, and could use it if that function returned.
#include <stdlib.h>

static int stop(int status) {
  if (status != 0)
    exit(status);
  return status;
}

int main(void) {
  char *block = calloc(1, 8);
  int status = stop(block[0] + 1);
  free(block);
  return status;
}
