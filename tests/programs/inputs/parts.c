// check: --svcomp sc=holds states=sc:1
// check: --svcomp -DWRONG sc=violated(assertion) states=sc:1
//
// Bytes of an input are inputs of their own; together they are the input again.
#include <assert.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y;
  unsigned short halves[2];
  memcpy(halves, &x, 4);
  memcpy(&y, halves, 4);
  assert(x == y);
  assert(halves[1] == x >> 16);
  if (x < 65536)
    assert(halves[1] == 0);
#ifdef WRONG
  assert(halves[1] != 0x1234);
#endif
  return 0;
}
