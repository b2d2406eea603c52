// check: sc=holds tso=holds pso=holds
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
