// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DEVALUATED sc=violated(out-of-bounds) at=18 states=sc:1
//
// The argument of __builtin_constant_p is not evaluated, whatever it would load.
#include <assert.h>

int x[4], *nothing, seen;

int main(void) {
  int far = 123456;
  assert(!__builtin_constant_p(x[123456]));
  assert(!__builtin_constant_p(x[far] + x[far + 1] * *nothing));
  assert(!__builtin_constant_p(seen ? x[far] : *nothing));
  assert(__builtin_constant_p(5));
  seen = x[1];
  assert(!__builtin_constant_p(seen) && seen == 0);
#ifdef EVALUATED
  seen = x[far];
#endif
  return 0;
}
