// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
// check: -DNDEBUG sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// An assertion fails, unless assertions are compiled out.
#include <assert.h>

static int one = 1;

int main(void) {
  assert(one == 2);
  (void)one;
  return 0;
}
