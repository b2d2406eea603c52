// check: sc=violated(wild-pointer) tso=violated(wild-pointer) pso=violated(wild-pointer) at=8 related=none states=sc:1,tso:1,pso:1
//
// An address made from a number that is no object's.
#include <stdint.h>

int main(void) {
  uintptr_t number = 0x12345678;
  *(int *)number = 1;
  return 0;
}
