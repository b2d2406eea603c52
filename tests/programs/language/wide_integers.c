// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// 128-bit integers: arithmetic, shifts, division and memory.
#include <assert.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static volatile u128 shared;

int main(void) {
  shared = (u128)UINT64_MAX * UINT64_MAX;
  assert((uint64_t)shared == 1 && (uint64_t)(shared >> 64) == UINT64_MAX - 1);
  shared -= (u128)1 << 100;
  assert((uint64_t)(shared >> 100) == (1 << 28) - 2);
  i128 negative = -((i128)7 << 70);
  assert(negative / ((i128)1 << 70) == -7 && (negative >> 70) == -7);
  assert((u128)100 / 7 == 14 && (u128)100 % 7 == 2);
  return 0;
}
