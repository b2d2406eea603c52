// check: sc=holds states=sc:1
//
// An assumption that always fails leaves no execution, and so nothing that goes wrong.
#include <assert.h>
#include <rmc.h>

int main(void) {
  rmc_assume(0);
  assert(0);
  return 0;
}
