/*
 * math.h: the functions that take numbers apart, on their bits, and those that headers call for their macros. The others are modelled.
 */
#include <limits.h>
#include <math.h>

union __rmc_double {
  double number;
  unsigned long bits;
};

union __rmc_float {
  float number;
  unsigned bits;
};

/* For each format: its functions, from its width, the bits of its fraction and those of its exponent. */
#define FUNCTIONS(type, suffix, word, fraction, field)                                                       \
  static int __rmc_exponent##suffix(word bits) {                                                             \
    return (int)(bits >> (fraction) & (field));                                                              \
  }                                                                                                          \
                                                                                                             \
  type frexp##suffix(type x, int *exponent) {                                                                \
    union __rmc_##type value = {x};                                                                          \
    int found = __rmc_exponent##suffix(value.bits);                                                          \
    *exponent = 0;                                                                                           \
    if (found == (field) || x == 0)                                                                          \
      return x + x;                                                                                          \
    int shift = 0;                                                                                           \
    if (found == 0) {                                                                                        \
      shift = (fraction) + 2;                                                                                \
      value.number *= (type)(1UL << shift);                                                                  \
      found = __rmc_exponent##suffix(value.bits);                                                            \
    }                                                                                                        \
    *exponent = found - ((field) / 2 - 1) - shift;                                                           \
    value.bits = (value.bits & ~((word)(field) << (fraction))) | (word)((field) / 2 - 1) << (fraction);      \
    return value.number;                                                                                     \
  }                                                                                                          \
                                                                                                             \
  type modf##suffix(type x, type *whole) {                                                                   \
    *whole = trunc##suffix(x);                                                                               \
    return copysign##suffix(__builtin_isinf(x) ? 0 : x - *whole, x);                                         \
  }                                                                                                          \
                                                                                                             \
  int ilogb##suffix(type x) {                                                                                \
    int exponent;                                                                                            \
    if (x == 0)                                                                                              \
      return FP_ILOGB0;                                                                                      \
    if (!__builtin_isfinite(x))                                                                              \
      return __builtin_isinf(x) ? INT_MAX : FP_ILOGBNAN;                                                     \
    frexp##suffix(x, &exponent);                                                                             \
    return exponent - 1;                                                                                     \
  }                                                                                                          \
                                                                                                             \
  type logb##suffix(type x) {                                                                                \
    if (x == 0)                                                                                              \
      return -1 / fabs##suffix(x);                                                                           \
    return __builtin_isfinite(x) ? (type)ilogb##suffix(x) : x * x;                                           \
  }                                                                                                          \
                                                                                                             \
  type nextafter##suffix(type x, type y) {                                                                   \
    union __rmc_##type value = {x};                                                                          \
    if (__builtin_isnan(x) || __builtin_isnan(y))                                                            \
      return x + y;                                                                                          \
    if (x == y)                                                                                              \
      return y;                                                                                              \
    if (x == 0) {                                                                                            \
      value.bits = 1;                                                                                        \
      return copysign##suffix(value.number, y);                                                              \
    }                                                                                                        \
    value.bits += (x < y) == (x > 0) ? 1 : -1;                                                               \
    return value.number;                                                                                     \
  }                                                                                                          \
                                                                                                             \
  type nan##suffix(const char *tag) {                                                                        \
    (void)tag;                                                                                               \
    return (type)__builtin_nan("");                                                                          \
  }                                                                                                          \
                                                                                                             \
  int __fpclassify##suffix(type x) {                                                                         \
    return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x);                   \
  }                                                                                                          \
                                                                                                             \
  int __signbit##suffix(type x) {                                                                            \
    return __builtin_signbit(x);                                                                             \
  }                                                                                                          \
                                                                                                             \
  int __isnan##suffix(type x) {                                                                              \
    return __builtin_isnan(x);                                                                               \
  }                                                                                                          \
                                                                                                             \
  int __isinf##suffix(type x) {                                                                              \
    return __builtin_isinf_sign(x);                                                                          \
  }                                                                                                          \
                                                                                                             \
  int __finite##suffix(type x) {                                                                             \
    return __builtin_isfinite(x);                                                                            \
  }

FUNCTIONS(double, , unsigned long, 52, 0x7FF)
FUNCTIONS(float, f, unsigned, 23, 0xFF)

int ilogbl(long double x) {
  union {
    long double number;
    struct {
      unsigned long mantissa;
      unsigned short exponent;
    } parts;
  } value = {x};
  if (x == 0)
    return FP_ILOGB0;
  if (!__builtin_isfinite(x))
    return __builtin_isinf(x) ? INT_MAX : FP_ILOGBNAN;
  int exponent = value.parts.exponent & 0x7fff;
  /* The first bit of the fraction is written, and is 0 in numbers with the least exponent. */
  return (exponent ? exponent : 1) - 0x3fff - __builtin_clzl(value.parts.mantissa);
}
