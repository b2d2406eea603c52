// check: sc=violated(double-free) tso=violated(double-free) pso=violated(double-free) at=11 related=10,8 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and allocation that nobody uses is removed
//
// The same block is freed through two pointers.
#include <stdlib.h>

int main(void) {
  int *block = malloc(sizeof *block);
  int *alias = block;
  free(block);
  free(alias);
  return 0;
}
