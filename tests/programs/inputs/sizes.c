// check: --svcomp sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --svcomp --engine=dpor sc=holds tso=holds pso=holds
// check: --svcomp -DBEYOND sc=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:1,pso:1
// check: --svcomp -DBEYOND --engine=dpor sc=violated(out-of-bounds) tso=violated(out-of-bounds)
// check: --svcomp -DWRONG sc=violated(assertion) states=sc:1
// check: --svcomp -DWRONG --engine=dpor sc=violated(assertion)
// check: --svcomp -DUNWRITTEN sc=violated(uninitialised-branch) states=sc:1
// check: --svcomp -DUNWRITTEN --engine=dpor sc=violated(uninitialised-branch)
// check: --svcomp --leaks -DLOST sc=violated(memory-leak) states=sc:1
// check: --svcomp --leaks -DLOST --engine=dpor sc=violated(memory-leak)
// check: --svcomp -DGONE sc=violated(use-after-free) states=sc:1
// check: --svcomp -DGONE --engine=dpor sc=violated(use-after-free)
//
// The size of an allocation is an input with many values. It is divided where an access ends, and where the
// program looks at it.
#include <assert.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n > 0 && n < 100000);
  int *a = malloc(n * sizeof *a);
  a[0] = 7;
#ifdef BEYOND
  a[3] = 1;
#endif
  if (n > 3)
    a[3] = 1;
  if (n > 40000)
    a[40000] = a[3] + 1;
  assert(a[0] == 7);
  if (n > 40000)
    assert(a[40000] == 2);
#ifdef WRONG
  assert(n != 31415 || a[3] != 1);
#endif
#ifdef UNWRITTEN
  if (n > 9 && a[9])
    return 1;
#endif
#ifdef LOST
  if (n == 777)
    return 0;
#endif
  free(a);
#ifdef GONE
  if (n == 777)
    a[2] = 1;
#endif
  return 0;
}
