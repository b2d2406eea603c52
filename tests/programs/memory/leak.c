// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// A block that is never freed is no violation.
#include <stdlib.h>

int main(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  return 0;
}
