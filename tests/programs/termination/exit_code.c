// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DEXIT sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// A non-zero result of main, or of exit in a nested call, is reported but is no violation.
#include <stdlib.h>

static void leave(void) { exit(4); }

int main(void) {
#ifdef EXIT
  leave();
  abort();
#else
  (void)leave;
#endif
  return 3;
}
