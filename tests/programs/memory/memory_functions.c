// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// memcpy, memmove over itself in both directions, memset and memcmp.
#include <assert.h>
#include <string.h>

static char text[8] = "abcdefg";

int main(void) {
  char copy[8];
  assert(memcpy(copy, text, sizeof copy) == copy);
  assert(memcmp(copy, text, sizeof copy) == 0);
  memmove(copy + 1, copy, 4);
  assert(memcmp(copy, "aabcdfg", 8) == 0);
  memmove(copy, copy + 1, 6);
  assert(memcmp(copy, "abcdfgg", 8) == 0);
  memset(copy + 2, 'x', 3);
  assert(memcmp(copy, "abxxxgg", 8) == 0);
  assert(memcmp("b", "a", 1) > 0 && memcmp("a", "b", 1) < 0);
  return 0;
}
