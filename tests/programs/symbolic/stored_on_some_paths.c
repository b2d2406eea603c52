// check: -DWHICH=0 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
// check: -DWHICH=1 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
// check: -DWHICH=2 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
// check: --engine=symbolic -DWHICH=0 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DWHICH=1 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DWHICH=2 --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// One thread stores to a variable on one path and does not access it on the other, where it keeps its first
// value.
#include <assert.h>

unsigned char __VERIFIER_nondet_uchar(void);

int zero;
static int one = 1;
_Thread_local int own = 1;

int main(void) {
  int input = __VERIFIER_nondet_uchar();
#if WHICH == 0
  if (input == 1) zero = 3;
  assert(zero == 3);
#elif WHICH == 1
  if (input == 1) own = 3;
  assert(own == 3);
#else
  if (input == 1) {
    one = 3;
  } else if (input == 2) {
    one = 5;
  }
  assert(one == 3 || one == 5);
#endif
  return 0;
}
