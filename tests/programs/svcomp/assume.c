// check: --svcomp sc=holds tso=holds pso=holds states=sc:2,tso:2,pso:2
// check: --svcomp -DTOO_WEAK sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error) states=sc:2,tso:2,pso:2
//
// Every value of a nondeterministic byte is tried; those that the assumption excludes are no executions.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_assume(int);
unsigned char __VERIFIER_nondet_uchar(void);
_Bool __VERIFIER_nondet_bool(void);

int main(void) {
  unsigned char value = __VERIFIER_nondet_uchar();
#ifdef TOO_WEAK
  __VERIFIER_assume(value >= 10);
#else
  __VERIFIER_assume(value > 10);
#endif
  int bonus = __VERIFIER_nondet_bool() ? 1 : 0;
  if (value + bonus == 10)
    reach_error();
  return 0;
}
