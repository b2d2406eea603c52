// check: --svcomp sc=holds tso=holds states=sc:10,tso:10
// check: --svcomp -DWRONG sc=violated(assertion) states=sc:8
//
// A loop that asks for inputs ends when its states repeat: what is not needed any more is not in the state.
#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int last = 0, rounds = 0;
  while (__VERIFIER_nondet_int() != 0) {
    int x = __VERIFIER_nondet_int();
    last = x < 0 ? 0 : x;
    rounds = (rounds + 1) % 3;
    assert(last >= 0);
#ifdef WRONG
    assert(last != 1000 || rounds != 2);
#endif
  }
  return last;
}
