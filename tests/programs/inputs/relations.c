// check: --svcomp sc=holds tso=holds states=sc:2,tso:2
// check: --svcomp -DFACTORS sc=violated(assertion) tso=violated(assertion) states=sc:2,tso:2
// check: --svcomp -DEQUAL sc=violated(assertion) states=sc:4
// check: --svcomp -DOVERFLOW sc=violated(undefined-result) states=sc:4
//
// Inputs are compared with each other and multiplied: the conditions that relate them are decided together.
// So order is transitive, the factors of a product are found, and a sum that may overflow is found.
#include <assert.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int();
  if (x < y && y < z) {
    assert(x < z);
    assert(x != z);
  }
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  assert((a & b) <= a && (a | b) >= b && (a ^ b) == (a | b) - (a & b));
  unsigned char c = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar();
  assert(d == 0 || c / d * d + c % d == c);
#ifdef FACTORS
  if (a > 1 && a < b && b < 1000)
    assert(a * b != 7387);
#endif
#ifdef EQUAL
  if (x == y)
    assert(y != -77 || z != x);
#endif
#ifdef OVERFLOW
  if (x > 0 && y > x && x + y < 0)
    return 1;
#endif
  return 0;
}
