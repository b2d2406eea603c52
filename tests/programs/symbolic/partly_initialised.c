// check: --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
// check: --svcomp --engine=symbolic sc=refused(initialised) tso=refused(initialised) pso=refused(initialised)
// check: --svcomp --engine=symbolic -DWHOLE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=symbolic -DWRONG_BEFORE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=symbolic -DUNINITIALISED sc=violated(uninitialised-branch) tso=violated(uninitialised-branch) pso=violated(uninitialised-branch)
//
// A bit-field in a word whose other bits are not initialised. The symbolic engine knows of a word only
// whether some bit of it is not: it refuses the program, and does not leave out executions in silence.
#include <assert.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);

struct fields {
  unsigned number : 4;
  unsigned other : 3;
};

int main(void) {
#ifdef WRONG_BEFORE
  assert(!__VERIFIER_nondet_bool());
#endif
#ifdef WHOLE
  struct fields fields = {0, 0};
#else
  struct fields fields;
#endif
#ifndef UNINITIALISED
  fields.number = __VERIFIER_nondet_uchar() % 16;
#endif
  fields.other = 1;
  assert(fields.number != 3);
}
