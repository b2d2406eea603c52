// check: --svcomp sc=holds states=sc:3
// check: --svcomp -DODD sc=violated(assertion) states=sc:3
// check: --svcomp -DDIGIT sc=violated(assertion) states=sc:2
// check: --svcomp -DTOP sc=holds states=sc:4
//
// No ranges of an int say that it is odd. What is known of a remainder is kept of the remainder.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  __VERIFIER_assume(x % 10 == 3);
  assert(x != 14);
  if (x < 14)
    switch (x) {
    case 3:
    case 13:
      break;
    default:
      assert(x > 100);
    }
#ifdef TOP
  unsigned long z = __VERIFIER_nondet_ulong();
  if (z >= 0xfffffffffffffff0 && z % 7 == 5)
    assert(z != 0xffffffffffffffff);
#endif
#ifdef DIGIT
  assert(x < 4000000000u);
#endif
  unsigned y = __VERIFIER_nondet_uint();
  if (y & 1)
    assert(y != 4);
#ifdef ODD
  else
    assert(y != 4);
#endif
  unsigned char low = (unsigned char)__VERIFIER_nondet_uint();
  assert(low <= 255);
  return 0;
}
