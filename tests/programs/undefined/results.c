// check: sc=holds tso=holds pso=holds
// check: --cflags=-O2 sc=holds
// check: -DSIGNED sc=violated(undefined-result) at=91 tso=violated(undefined-result) pso=violated(undefined-result)
// check: -DSIGNED --cflags=-fwrapv sc=holds
// check: -DWIDE_SIGNED sc=violated(undefined-result) at=96
// check: -DNARROW sc=holds
// check: -DSHIFT sc=violated(undefined-result) at=102
// check: -DMASKED sc=violated(undefined-result) at=105
// check: -DLEADING sc=violated(undefined-result) at=109
// check: -DTRAILING sc=violated(undefined-result) at=112
// check: -DCONVERSION sc=violated(undefined-result) at=115
// check: -DELEMENT sc=violated(undefined-result) at=120
// check: -DBOOL sc=violated(undefined-result) at=125
// check: -DFAR sc=violated(out-of-bounds) at=130
// check: -DFAR_FIELD sc=violated(out-of-bounds) at=134
// check: -DSTORED sc=violated(undefined-result) at=137
// check: -DARGUMENT sc=violated(undefined-result) at=140
// check: -DADDRESS sc=violated(undefined-result) at=143
// check: -DINDIRECT sc=violated(undefined-result) at=146
// check: -DDIVISOR sc=violated(division-by-zero) at=77
// check: -DWIDE_DIVISION sc=violated(division-overflow) at=155
// check: -DUNUSED sc=holds
//
// An operation whose result C leaves undefined gives no number: whatever depends on it is a violation. What nothing depends on is none.
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile int zero, one = 1, most = INT_MAX, least = INT_MIN, many = 32;
static int sink, *place = &sink;
static struct field { int first, second; } fields[2];
typedef int vector __attribute__((vector_size(16)));

/* What is defined, though it looks like the others. */
static void defined(void) {
  unsigned big = UINT_MAX;
  unsigned char narrow = 255;
  short little = SHRT_MAX;
  assert(big + 1 == 0 && big * big == 1);
  narrow++;
  assert(narrow == 0);
  little++;
  assert(little == SHRT_MIN);
  assert(most - 1 + one == INT_MAX);
  assert((least + one) / -1 == INT_MAX);
  assert(1u << (many - 1) == 0x80000000u);
  assert((-4 >> one) == -2 && (int)(-1L << one) == -2);
  assert(__builtin_clz(one) == 31 && __builtin_ctz(many) == 5);
  assert((one ? 31 : __builtin_clz(zero)) == 31);
  assert((int)1e9 == 1000000000 && (unsigned char)255.9 == 255 && (int)-0.5 == 0);
  __int128 wide = (__int128)most * most;
  assert(wide / most == most && abs(least + one) == most);
  int *end = &sink + one;
  assert(end - one == &sink && &fields[one].second - &fields[zero].second == 2);
  assert(*(end - 1) == sink);
  bool flag = many;
  assert(flag == 1);
  vector numbers = {0, 1, 2, 3};
  assert(numbers[one] == 1);
  uint64_t hash = 0xcbf29ce484222325u;
  for (int at = 0; at < 3; at++)
    hash = (hash ^ (uint64_t)at) * 0x100000001b3u;
  assert(hash != 0);
}

/* Computes more than it needs: nothing depends on the sum if it overflows. */
static int chosen(int a, int b) {
  int sum = a + b, shifted = a << b;
  return b < 0 ? sum : b > 31 ? a : shifted & 1;
}

static void divide(int by) {
  sink = 1 / by;
}

int main(void) {
  defined();
  fields[0].first = chosen(1, 32);
  assert(fields[0].first == 1);
#if defined UNUSED
  int sum = most + one;
  sum = zero;
  assert(sum == 0);
#elif defined SIGNED
  int sum = most + one;
  /* By the standard it may be anything. */
  assert(sum == INT_MIN);
#elif defined NARROW
  assert((short)(most + 0) == -1 && (unsigned short)(one - 2) == 65535);
#elif defined WIDE_SIGNED
  __int128 half = (__int128)1 << 126;
  if (half + half < 0)
    sink = 1;
#elif defined SHIFT
  unsigned word = 1u << many;
  int result = word != 7;
  /* Also of unsigned numbers. */
  assert(result);
#elif defined MASKED
  int masked = (most + one) & 1;
  if (masked)
    return 1;
#elif defined LEADING
  int zeros = __builtin_clz(zero);
  assert(zeros == 32);
#elif defined TRAILING
  int zeros = __builtin_ctzl(zero);
  assert(zeros == 64);
#elif defined CONVERSION
  double number = 3e9 + zero;
  assert((int)number == INT_MIN);
#elif defined ELEMENT
  vector numbers = {0, 1, 2, 3};
  int four = 4 + zero;
  int element = numbers[four];
  assert(element == 0);
#elif defined BOOL
  unsigned char byte = 2;
  bool flag;
  memcpy(&flag, &byte, 1);
  if (flag)
    return 1;
#elif defined FAR
  /* As far as from one object to the next one but one, as rmc places them. */
  long distance = (1L << 25) + zero;
  return place[distance];
#elif defined FAR_FIELD
  /* The distance in bytes is 0 modulo 2 to the 64. */
  long distance = (1L << 61) + zero;
  return fields[distance].second;
#elif defined STORED
  int sum = most + one;
  *place = sum;
#elif defined ARGUMENT
  char *text = malloc(4);
  memset(text, 'a', (size_t)(most + one) & 3);
#elif defined ADDRESS
  int at = most + one;
  return place[at & 1];
#elif defined INDIRECT
  void (*functions[1])(int) = {divide};
  functions[(most + one) & zero](1);
#elif defined DIVISOR
  int divisors[2];
  divisors[1] = 1;
  divide(divisors[zero]);
#elif defined WIDE_DIVISION
  __int128 lowest = (__int128)1 << 126;
  lowest = -lowest - lowest;
  __int128 minus = -one;
  if (lowest / minus == 0)
    return 1;
#endif
  return 0;
}
