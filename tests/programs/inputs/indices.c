// check: --svcomp sc=holds tso=holds states=sc:1,tso:1
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) states=sc:1,tso:1
//
// An index that is made of an input by a product has few values, however many the input has.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned elements[4] = {1, 2, 3, 4};

int main(void) {
  unsigned input = __VERIFIER_nondet_uint();
  unsigned element = elements[input * 2 & 3];
  assert(element == 1 || element == 3);
  assert(input % 2 == (element == 3));
#ifdef WRONG
  assert(input != 12345 || element != 3);
#endif
  return 0;
}
