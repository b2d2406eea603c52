// check: --svcomp sc=holds states=sc:2
// check: --svcomp -DBEYOND sc=violated(out-of-bounds) states=sc:2
// check: --svcomp -DOVERFLOW sc=violated(undefined-result) states=sc:2
// check: --svcomp -DZERO sc=violated(division-by-zero) states=sc:2
//
// An index has a value for each element, and one beyond them. Overflows and divisions by zero are found.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int table[8] = {0, 1, 2, 3, 4, 5, 6, 7};

int main(void) {
  int i = __VERIFIER_nondet_int();
#ifdef BEYOND
  if (i < 0)
    return 0;
#else
  if (i < 0 || i > 7)
    return 0;
#endif
  assert(table[i] == i);
  int x = __VERIFIER_nondet_int();
#ifdef OVERFLOW
  if (x - 1 > 5)
    return 1;
#endif
#ifdef ZERO
  return 100 / x;
#endif
  if (x != 0 && x > -4 && x < 4)
    return 100 / x;
  return 0;
}
