// check: sc=holds tso=holds pso=holds states=sc:8,tso:8,pso:8
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:8,tso:8,pso:8
//
// Every value below n is chosen, and no other; what is assumed leaves out the rest.
#include <assert.h>
#include <rmc.h>

int main(void) {
  unsigned square = rmc_choose(7);
  unsigned other = rmc_choose(3);
  assert(square < 7 && other < 3);
  rmc_assume(square != 4);
#ifdef WRONG
  assert(square * square + other != 27);
#else
  assert(square + other != 4 || square == 3 || square == 2);
#endif
  return 0;
}
