// check: --svcomp pso=violated(undefined-result) at=15
// check: --svcomp --engine=dpor tso=violated(undefined-result) at=15
// check: --svcomp --engine=symbolic sc=violated(undefined-result) at=15
// optimised: differs the optimiser leaves out the store, or the overflow
//
// The simplest inputs with which a product of two of them overflows are hard to find, and others do.
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);

static int result;

int main(void) {
  int one = __VERIFIER_nondet_int();
  long other = __VERIFIER_nondet_long();
  result = (short)(other * one);
  return 0;
}
