// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Sign extension, truncation, shifts, signed division and remainder, wrap-around, comparisons of mixed signs.
#include <assert.h>
#include <limits.h>
#include <stdint.h>

static volatile int8_t byte = -1;
static volatile int32_t word = INT_MIN;
static volatile uint32_t bits = 0x80000001;

int main(void) {
  assert((int)byte == -1 && (uint8_t)byte == 255 && (uint16_t)byte == 0xffff);
  assert(word >> 31 == -1 && bits >> 31 == 1 && bits << 1 == 2);
  assert(-7 / 2 == -3 && byte * 7 % 4 == -3);
  assert(bits + 0x7fffffff == 0);
  assert(word < 0 && (uint32_t)word > 0 && byte < 1);
  assert((int8_t)(byte + 129) == INT8_MIN);
  assert(__builtin_popcount(bits) == 2 && __builtin_clz(1u) == 31 && __builtin_ctzll(1ull << 40) == 40);
  int overflowed;
  assert(__builtin_add_overflow(INT_MAX, byte + 2, &overflowed) && overflowed == INT_MIN);
  assert(!__builtin_mul_overflow(3, 4, &overflowed) && overflowed == 12);
  return 0;
}
