// check: sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
//
// LLVM's intrinsics on floating-point numbers that the compiler has code for: integer powers, to the last
// bit, and classes of numbers.
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef double d2 __attribute__((vector_size(16)));
typedef bool mask2 __attribute__((ext_vector_type(2)));

bool class64(double, int) __asm__("llvm.is.fpclass.f64");
bool class32(float, int) __asm__("llvm.is.fpclass.f32");
mask2 class2(d2, int) __asm__("llvm.is.fpclass.v2f64");

static double number(unsigned long bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static float single(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void powers(void) {
  const double bases[] = {0, -0.0, 1, -1, 1.1, -0.7, 3, 1e-200, 1e200, 5e-324, INFINITY, -INFINITY};
  const int exponents[] = {0, 1, 2, 3, 5, 7, 10, 31, 64, 1000, -1, -2, -3, -7, -63, INT_MAX, INT_MIN};
  for (unsigned i = 0; i < sizeof bases / sizeof *bases; i++)
    for (unsigned j = 0; j < sizeof exponents / sizeof *exponents; j++) {
      int n = exponents[j];
      printf("%a^%d = %a, %a\n", bases[i], n, __builtin_powi(bases[i], n), __builtin_powif((float)bases[i], n));
    }
}

#define CLASSES(of, x)                                                                                       \
  of(x, 1), of(x, 2), of(x, 4), of(x, 8), of(x, 16), of(x, 32), of(x, 64), of(x, 128), of(x, 256), of(x, 512), \
      of(x, 0), of(x, 1023), of(x, 3), of(x, 504), of(x, 516), of(x, 264)
#define FORMAT "%d%d%d%d%d%d%d%d%d%d %d%d%d%d%d%d\n"

static void classes(void) {
  const unsigned long fractions[] = {0, 1, 0x7ffffffffffff, 0x8000000000000, 0xfffffffffffff};
  const unsigned long exponents[] = {0, 1, 0x3ff, 0x7fe, 0x7ff};
  for (unsigned sign = 0; sign < 2; sign++)
    for (unsigned i = 0; i < 5; i++)
      for (unsigned j = 0; j < 5; j++) {
        double x = number((unsigned long)sign << 63 | exponents[i] << 52 | fractions[j]);
        printf(FORMAT, CLASSES(class64, x));
        float y = single(sign << 31 | (unsigned)(exponents[i] & 0xff) << 23 | (unsigned)(fractions[j] >> 29));
        printf(FORMAT, CLASSES(class32, y));
      }
  mask2 both = class2((d2){-1, INFINITY}, 8);
  printf("%d %d\n", both[0], both[1]);
}

int main(void) {
  powers();
  classes();
  return 0;
}
