// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// float and double: arithmetic, conversions, comparisons with not-a-number, and memory.
#include <assert.h>

static volatile double shared = 0.1;
static volatile float narrow;

int main(void) {
  assert(shared + 0.2 > 0.3 && shared + 0.2 < 0.3000001);
  narrow = (float)shared;
  assert(narrow != shared);
  double zero = shared - shared, nan = zero / zero;
  assert(nan != nan && !(nan < 1.0) && !(nan > 1.0));
  assert(1.0 / zero > 1e308);
  assert((int)-2.7 == -2 && (unsigned char)200.9 == 200);
  assert((double)(1L << 53) == 9007199254740992.0);
  assert(-zero == zero && 7.0 / 2 == 3.5);
  return 0;
}
