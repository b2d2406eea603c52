// check: sc=holds states=sc:19
//
// Complex numbers, also with infinities and zeros.
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(double complex z) {
  printf("%g%+gi\n", creal(z) + 0.0, cimag(z) + 0.0);
}

static double part(unsigned *seed) {
  static const double parts[] = {1,     2.5,    -3,     1e-320, 1e308, 1.7e308, 2e-308, 1e-300,
                                 1e300, -1e-16, 3e-162, 1e154,  0,     -0.0,    1e-200, 7e200};
  *seed = *seed * 1664525 + 1013904223;
  return parts[*seed >> 28];
}

/* Quotients whose parts would overflow or underflow on the way. */
static void far_quotients(void) {
  unsigned seed = 1;
  for (int i = 0; i < 60; i++) {
    double complex a = 0, b = 0;
    __real__ a = part(&seed), __imag__ a = part(&seed), __real__ b = part(&seed), __imag__ b = part(&seed);
    double complex z = a / b;
    long double complex large = (long double complex)a * 0x1p-9000L / ((long double complex)b * 0x1p-9000L);
    float complex small = (float complex)a / (float complex)b;
    double all[] = {creal(z), cimag(z), (double)creall(large), (double)cimagl(large), crealf(small), cimagf(small)};
    for (int k = 0; k < 6; k++)
      printf("%a ", isnan(all[k]) ? -1 : all[k]);
    printf("\n");
  }
}

int main(void) {
  far_quotients();
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
