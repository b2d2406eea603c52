// check: sc=holds tso=holds pso=holds
//
// A block that is never freed is no violation.
#include <stdlib.h>

int main(void) {
  int *block = malloc(sizeof *block);
  *block = 1;
  return 0;
}
