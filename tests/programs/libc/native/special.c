// check: tso=holds pso=holds states=tso:1,pso:1
//
// Functions whose last bit may differ (cube root, inverse hyperbolic, error and gamma functions), to ten digits.
#include <math.h>
#include <stdio.h>

int main(void) {
  for (double x = 0.125; x < 4; x += 0.375) {
    printf("%.10g %.10g %.10g %.10g\n", erf(x), erfc(x), tgamma(x), lgamma(x));
    printf("%.10g %.5g\n", cbrt(x), cbrtf((float)x));
    printf("%.10g %.10g %.10g\n", asinh(x), acosh(x + 1), atanh(x / 4));
    printf("%.5g %.5g %.5g %.5g\n", erff((float)x), erfcf((float)x), tgammaf((float)x), lgammaf((float)x));
  }
  return 0;
}
