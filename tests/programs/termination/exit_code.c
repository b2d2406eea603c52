// check: sc=holds tso=holds pso=holds
// check: -DEXIT sc=holds tso=holds pso=holds
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
