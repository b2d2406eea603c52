// check: sc=holds states=sc:1
// What compilers warned about for decades and clang 16 would refuse: a pointer given for an integer, a function that nothing declares.
#include <assert.h>
#include <stdint.h>

static int same(int number) { return number; }

int main(void) {
  int place = 0;
  assert(same(&place) == (int)(intptr_t)&place);
  assert(twice(21) == 42);
  return 0;
}

int twice(int number) { return 2 * number; }
