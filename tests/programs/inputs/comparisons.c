// check: --svcomp sc=holds tso=holds states=sc:1,tso:1
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) states=sc:1,tso:1
// check: --svcomp -DOTHER sc=violated(assertion) states=sc:1
//
// An int is told apart only where it is compared: a few states cover its 2^32 values, and one of them is
// found.
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned long y = __VERIFIER_nondet_ulong();
  if (x > -100 && x < 100) {
    assert((unsigned)x < 100 || x < 0);
#ifdef WRONG
    assert(x != 77);
#endif
  }
  if (y > 1ul << 63)
    assert((long)y < 0);
#ifdef OTHER
  assert(y != 0xfedcba9876543210);
#endif
  switch (x) {
  case -2147483647 - 1:
  case 2147483647:
    assert(x != 0);
    break;
  default:
    assert(x + 1 > x - 1);
  }
  return x;
}
