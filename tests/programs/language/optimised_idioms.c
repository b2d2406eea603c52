// check: sc=holds pso=holds states=sc:16,pso:16
// check: --cflags=-O1 sc=holds pso=holds states=sc:2,pso:2
// check: --cflags=-O3 sc=holds pso=holds states=sc:1,pso:1
// check: --cflags=-Oz sc=holds pso=holds states=sc:3,pso:3
//
// What the optimiser has special forms for: tables for switches, vectors for loops, single instructions for idioms of bits, other
// functions for calls of the C library.
#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noinline)) static

static volatile int seven = 7;  // unknown to the optimiser

// A table of offsets between texts.
APART const char *day(int n) {
  switch (n) {
  case 0: return "monday";
  case 1: return "tuesday";
  case 2: return "wednesday";
  case 3: return "thursday";
  case 4: return "friday";
  default: return "weekend";
  }
}

// A table of numbers.
APART int price(int n) {
  switch (n) {
  case 1: return 10;
  case 2: return 25;
  case 3: return 7;
  case 4: return 99;
  case 6: return -3;
  default: return 0;
  }
}

// One bit test.
APART int is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// Vectors, with a remainder.
APART int dot(const signed char *a, const signed char *b, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

APART int greatest(const int *a, int n) {
  int found = INT_MIN;
  for (int i = 0; i < n; i++)
    found = a[i] > found ? a[i] : found;
  return found;
}

// memset and memcpy.
APART void clear_and_copy(int *cleared, int *to, const int *from, int n) {
  for (int i = 0; i < n; i++)
    cleared[i] = 0;
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

// ctpop, fshl, bswap, usub.sat, smul.with.overflow.
APART int bits_of(uint64_t x) {
  int n = 0;
  for (; x != 0; x &= x - 1)
    n++;
  return n;
}
APART uint32_t rotated(uint32_t x, int n) { return x << n | x >> (32 - n); }
APART uint32_t swapped(uint32_t x) { return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24; }
APART unsigned difference(unsigned a, unsigned b) { return a > b ? a - b : 0; }
APART int product(int a, int b) { return __builtin_mul_overflow(a, b, &a) ? INT_MAX : a; }

// One load of four bytes.
APART uint32_t little_endian(const unsigned char *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

// A loop instead of calls; a formula instead of a loop.
APART int sum_to(int n) { return n == 0 ? 0 : n + sum_to(n - 1); }
APART long squares_below(long n) {
  long sum = 0;
  for (long i = 0; i < n; i++)
    sum += i * i;
  return sum;
}

// bcmp for memcmp, strcpy for sprintf, puts and putchar for printf.
APART int texts(void) {
  char text[32];
  sprintf(text, "%s", day(seven - 5));
  printf("%s\n", text);
  printf("%c", '!');
  return memcmp(text, "wednesday", 10) == 0 && strcmp(text, "wed") > 0 && strlen(seven > 6 ? "long" : "short") == 4;
}

int main(void) {
  assert(!strcmp(day(seven - 4), "thursday") && !strcmp(day(seven), "weekend"));
  assert(price(seven - 1) == -3 && price(seven) == 0 && price(seven - 3) == 99);
  assert(is_vowel((char)('a' + seven - 3)) && !is_vowel((char)('a' + seven)));
  signed char a[41], b[41];
  int values[41], zeros[41], copies[41];
  for (int i = 0; i < 41; i++) {
    a[i] = (signed char)(i * 3 - 60);
    b[i] = (signed char)(50 - i * 2);
    values[i] = (i * 37) % 101 - seven;
  }
  assert(dot(a, b, 41) == -34440 && greatest(values, 41) == 93);
  clear_and_copy(zeros, copies, values, 41);
  assert(zeros[0] == 0 && zeros[40] == 0 && memcmp(values, copies, sizeof values) == 0);
  assert(bits_of(0xff00ff00ul + (unsigned)seven) == 19 && rotated(0x12345678, seven) == 0x1a2b3c09);
  assert(swapped(0x12345678) == 0x78563412 && difference(3, (unsigned)seven) == 0);
  assert(product(seven, 6) == 42 && product(INT_MAX, seven) == INT_MAX);
  assert(little_endian((const unsigned char *)"abcd") == 0x64636261);
  assert(sum_to(seven) == 28 && squares_below(100 * seven) == 114088450);
  assert(texts());
  return 0;
}
