// check: tso=holds pso=holds states=tso:24,pso:24
//
// math.h, in double and in float, to the last bit; errno where C has it.
#include <errno.h>
#include <math.h>
#include <stdio.h>

#define D(name)                                                                                                 \
  for (int i = 0; i < count; i++) {                                                                          \
    errno = 0;                                                                                               \
    double result = name(points[i]);                                                                            \
    printf(#name "(%a) = %a, %d\n", points[i], result, errno);                                                  \
    float single = name##f((float)points[i]);                                                                   \
    printf(#name "f(%a) = %a\n", (float)points[i], single);                                                     \
  }
#define D2(name)                                                                                                \
  for (int i = 0; i < count; i++)                                                                            \
    for (int j = 0; j < count; j += 3) {                                                                     \
      printf(#name "(%a, %a) = %a\n", points[i], points[j], name(points[i], points[j]));                           \
      printf(#name "f(%a, %a) = %a\n", (float)points[i], (float)points[j], name##f((float)points[i], (float)points[j])); \
    }

static const double points[] = {0.0, -0.0, 0.5, -0.25, 1.0, -1.0, 1.5, 3.14159, -2.5, 10.25, 700.5, -800.0, 1e300};
static const int count = sizeof points / sizeof *points;

static void elementary(void) {
  D(sin) D(cos) D(tan) D(asin) D(acos) D(atan) D(sinh) D(cosh) D(tanh)
  D(exp) D(exp2) D(expm1) D(log) D(log2) D(log10) D(log1p) D(sqrt)
}

static void rounding(void) {
  D(fabs) D(floor) D(ceil) D(trunc) D(round) D(rint) D(nearbyint)
  for (int i = 0; i < count - 1; i++)
    printf("%ld %ld %lld %lld\n", lrint(points[i]), lround(points[i]), llrint(points[i]), llround(points[i]));
}

static void two(void) {
  D2(pow) D2(atan2) D2(hypot) D2(fmod) D2(remainder) D2(fdim) D2(copysign) D2(nextafter)
  printf("%g %g\n", fmax(1, 2), fmin(1, 2));
  printf("%g %g\n", fmax(1, NAN), fmin(NAN, 2));
  printf("%a %a\n", fma(0.1, 10, -1), (double)fmaf(0.1f, 10, -1));
}

static void parts(void) {
  for (int i = 0; i < count; i++) {
    int exponent;
    double whole, fraction = frexp(points[i], &exponent);
    printf("%a %d %a", fraction, exponent, ldexp(points[i], -3));
    fraction = modf(points[i], &whole);
    printf(" %a %a %a %d", fraction, whole, scalbn(points[i], 4), points[i] == 0 ? 0 : ilogb(points[i]));
    printf(" %a\n", logb(points[i]));
  }
  printf("%d %d %d\n", isnan(NAN) != 0, isinf(INFINITY), signbit(-0.0) != 0);
  printf("%d %d\n", isfinite(1.0) != 0, fpclassify(1e-310) == FP_SUBNORMAL);
}

int main(void) {
  elementary();
  rounding();
  two();
  parts();
  return 0;
}
