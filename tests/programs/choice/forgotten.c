// check: sc=holds states=sc:31
//
// What was chosen is forgotten where nothing depends on it any more: sixteen choices of a thousand values each have few states.
#include <assert.h>
#include <rmc.h>

int odd;

int main(void) {
  for (int round = 0; round < 16; round++) {
    odd = rmc_choose(1000) % 2;
    assert(odd < 2);
  }
  return 0;
}
