// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// One memory seen as a float, an integer, bytes and a pointer.
#include <assert.h>
#include <stdint.h>
#include <string.h>

static union {
  float real;
  uint32_t word;
  uint8_t bytes[4];
} shared;

static union {
  int *pointer;
  uintptr_t number;
} address;

static int target = 9;

int main(void) {
  shared.real = 1.0f;
  assert(shared.word == 0x3f800000 && shared.bytes[3] == 0x3f);
  shared.bytes[3] = 0xbf;
  assert(shared.real == -1.0f);

  address.pointer = &target;
  uintptr_t copy;
  memcpy(&copy, &address.number, sizeof copy);
  assert(*(int *)copy == 9 && copy % _Alignof(int) == 0);
  return 0;
}
