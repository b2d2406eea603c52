// check: --svcomp sc=holds states=sc:1
// check: --svcomp --engine=dpor sc=holds
// check: --svcomp -DBEYOND sc=violated(out-of-bounds) states=sc:1
// check: --svcomp -DBEYOND --engine=dpor sc=violated(out-of-bounds)
// check: --svcomp -DINDEX sc=violated(out-of-bounds) states=sc:2
//
// An array of variable length, whose length is an input.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

static int sum(unsigned n) {
  int a[n];
  a[4] = 3;
#ifdef BEYOND
  a[5] = 3;
#endif
#ifdef INDEX
  unsigned i = __VERIFIER_nondet_uint();
  a[i] = 1;
#endif
  return a[4];
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 5 || n > 70000)
    return 0;
  assert(sum(n) == 3 && sum(n + 1) == 3);
  return 0;
}
