// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// printf and puts return as they should; what they print decides nothing.
#include <assert.h>
#include <stdio.h>

int main(void) {
  assert(printf("%d %s %c\n", 12, "ab", 'x') == 8);
  assert(printf("%05.1f|%-4u|%lx|%%\n", 2.25, 7u, 255ul) == 16);
  assert(puts("end") >= 0);
  return 0;
}
