// check: sc=violated(invalid-argument) tso=violated(invalid-argument) at=13 states=sc:1,tso:1
// check: -DMOVE sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, the copy is computed beforehand
//
// memcpy between places that overlap; memmove may.
#include <string.h>

int main(void) {
  char text[16] = "overlapping";
#ifdef MOVE
  memmove(text + 1, text, 8);
#else
  memcpy(text + 1, text, 8);
#endif
  return text[8] == 'p' ? 0 : 1;
}
