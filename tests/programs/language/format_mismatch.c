// check: sc=violated(format-mismatch) tso=violated(format-mismatch) pso=violated(format-mismatch) states=sc:1,tso:1,pso:1
//
// printf is promised more arguments than it gets.
#include <stdio.h>

int main(void) {
  const char *format = "%d of %d\n";
  printf(format, 1);
  return 0;
}
