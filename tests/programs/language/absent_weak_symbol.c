// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// The address of a weak symbol that nobody defines is null.
#include <assert.h>
extern int mv __attribute__((weak));
extern int maybe(void) __attribute__((weak));
int main(void) {
  assert(&mv == 0);
  assert(!maybe);
  return 0;
}
