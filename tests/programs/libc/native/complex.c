// check: sc=holds states=sc:32
//
// Complex numbers, also with infinities and zeros.
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(double complex z) {
  printf("%g%+gi\n", creal(z) + 0.0, cimag(z) + 0.0);
}

int main(void) {
  volatile double one = 1, two = 2, zero = 0, infinite = INFINITY;
  double complex a = one + two * I, b = two - one * I, far = infinite + one * I, none = zero + zero * I;
  show(a * b);
  show(a / b);
  show(a / (two * I));
  show(a * far);
  show(a / far);
  show(far / a);
  show(a / none);
  show((a * 0x1p1000) / (b * 0x1p1000));
  show((a * 0x1p-1040) / (b * 0x1p-1040));
  float complex small = a;
  long double complex large = b;
  small = small / (float complex)b;
  large = large / a * far;
  printf("%g %g\n", crealf(small), cimagf(small));
  printf("%d %d\n", isinf((double)creall(large)), isinf((double)cimagl(large)));
  a *= a;
  a /= two;
  show(a);
  return 0;
}
