// check: --svcomp sc=holds states=sc:1
// check: --svcomp -DPRODUCT sc=violated(assertion) states=sc:1
// check: --svcomp -DEXTENDED sc=violated(assertion) states=sc:1
// check: --svcomp -DCOMPLEMENT sc=violated(assertion) states=sc:1
// check: --svcomp -DORDER sc=violated(assertion) states=sc:1
//
// The operand of a product is bounded by a relation between inputs only: that it does not overflow follows,
// and is used from then on. An assumption that a relation rules out ends the execution.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
#ifdef PRODUCT
  if (b > 1)
    return 0;
  assert((a & b) * 0x9E3779B97F4A7C15 <= 0x7fffffffffffffff);
#elif defined EXTENDED
  if (y > 1)
    return 0;
  long extended = (int)((x & y) * 0x80000001u);
  assert(extended >= 0);
#elif defined COMPLEMENT
  if (y > 1)
    return 0;
  assert(~((x & y) * 3) > 0xfffffffc);
#elif defined ORDER
  if (a > 1 || b > a)
    return 0;
  assert((a - b) * 0x9E3779B97F4A7C15 <= 0x7fffffffffffffff);
#else
  if ((x | y) != 0 || a > b)
    return 0;
  __VERIFIER_assume(x & y);
  assert(0);
#endif
  return 0;
}
