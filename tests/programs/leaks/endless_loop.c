// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=9 related=9 states=sc:1,tso:1,pso:1
// optimised: differs allocation that nobody uses is removed
//
// Memory lost in a loop that never ends: the process has no exit at which it could be noticed.
#include <stdlib.h>

int main(void) {
  for (;;) {
    int *block = malloc(sizeof *block);
    if (block != NULL)
      *block = 1;
  }
}
