// check: sc=holds tso=holds pso=holds states=sc:2,tso:2,pso:2
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// switch with ranges, fall-through, negative and 64-bit cases; goto and a nest of loops.
#include <assert.h>

static int classify(long value) {
  int class = 0;
  switch (value) {
  case -1:
    return -1;
  case 0x100000000:
    return 33;
  case 1:
    class++;
    // fall through
  case 2 ... 4:
    class++;
    break;
  default:
    class = 9;
  }
  return class;
}

static int first_multiple(int of, int above) {
  int found;
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++)
      if ((found = 10 * i + j) > above && found % of == 0)
        goto out;
  return -1;
out:
  return found;
}

int main(void) {
  assert(classify(-1) == -1 && classify(0x100000000) == 33);
  assert(classify(1) == 2 && classify(4) == 1 && classify(5) == 9 && classify(0) == 9);
  assert(first_multiple(7, 30) == 35);
  return 0;
}
