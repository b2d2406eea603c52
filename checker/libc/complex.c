/*
 * Multiplication and division of complex numbers, where they are no plain formulas: with infinities, zeros and what is not a number.
 *
 * Source: ISO/IEC 9899:2011, Annex G.5.1, paragraphs 6 to 8: what the results are, and by which steps. The division scales by a power of two, so that only
 * results overflow; another library may round otherwise in the last bits.
 */
#include <math.h>

#define FAMILY(type, multiply, divide, suffix)                                                                        \
  static type support_boxed##suffix(type x) {                                                                         \
    return __builtin_copysign##suffix(__builtin_isinf(x) ? (type)1 : (type)0, x);                                     \
  }                                                                                                                   \
  static type support_unsigned_nan##suffix(type x) {                                                                  \
    return __builtin_isnan(x) ? __builtin_copysign##suffix((type)0, x) : x;                                           \
  }                                                                                                                   \
  static type _Complex support_complex##suffix(type real, type imaginary) {                                           \
    type _Complex z;                                                                                                  \
    __real__ z = real;                                                                                                \
    __imag__ z = imaginary;                                                                                           \
    return z;                                                                                                         \
  }                                                                                                                   \
  type _Complex multiply(type a, type b, type c, type d) {                                                            \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;                                    \
    int infinite = 0;                                                                                                 \
    if (!__builtin_isnan(x) || !__builtin_isnan(y))                                                                   \
      return support_complex##suffix(x, y);                                                                           \
    if (__builtin_isinf(a) || __builtin_isinf(b)) {                                                                   \
      a = support_boxed##suffix(a), b = support_boxed##suffix(b);                                                     \
      c = support_unsigned_nan##suffix(c), d = support_unsigned_nan##suffix(d);                                       \
      infinite = 1;                                                                                                   \
    }                                                                                                                 \
    if (__builtin_isinf(c) || __builtin_isinf(d)) {                                                                   \
      c = support_boxed##suffix(c), d = support_boxed##suffix(d);                                                     \
      a = support_unsigned_nan##suffix(a), b = support_unsigned_nan##suffix(b);                                       \
      infinite = 1;                                                                                                   \
    }                                                                                                                 \
    if (!infinite && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {    \
      a = support_unsigned_nan##suffix(a), b = support_unsigned_nan##suffix(b);                                       \
      c = support_unsigned_nan##suffix(c), d = support_unsigned_nan##suffix(d);                                       \
      infinite = 1;                                                                                                   \
    }                                                                                                                 \
    if (infinite) {                                                                                                   \
      x = (type)INFINITY * (a * c - b * d);                                                                           \
      y = (type)INFINITY * (a * d + b * c);                                                                           \
    }                                                                                                                 \
    return support_complex##suffix(x, y);                                                                             \
  }                                                                                                                   \
  /* Powers of two that bring the larger part of the divisor to between 1 and 2. */                                    \
  static int support_scale##suffix(type *c, type *d) {                                                                \
    type larger = __builtin_fabs##suffix(*c), other = __builtin_fabs##suffix(*d);                                     \
    int power = 0;                                                                                                    \
    if (!(larger >= other))                                                                                           \
      larger = other;                                                                                                 \
    if (!__builtin_isfinite(larger) || larger == 0)                                                                   \
      return 0;                                                                                                       \
    for (; larger >= 2; larger /= 2, power--)                                                                         \
      *c /= 2, *d /= 2;                                                                                               \
    for (; larger < 1; larger *= 2, power++)                                                                          \
      *c *= 2, *d *= 2;                                                                                               \
    return power;                                                                                                     \
  }                                                                                                                   \
  static type support_powered##suffix(type x, int power) {                                                            \
    for (; power > 0; power--)                                                                                        \
      x *= 2;                                                                                                         \
    for (; power < 0; power++)                                                                                        \
      x /= 2;                                                                                                         \
    return x;                                                                                                         \
  }                                                                                                                   \
  type _Complex divide(type a, type b, type c, type d) {                                                              \
    int power = support_scale##suffix(&c, &d);                                                                        \
    type norm = c * c + d * d;                                                                                        \
    type x = support_powered##suffix((a * c + b * d) / norm, power);                                                  \
    type y = support_powered##suffix((b * c - a * d) / norm, power);                                                  \
    if (!__builtin_isnan(x) || !__builtin_isnan(y))                                                                   \
      return support_complex##suffix(x, y);                                                                           \
    if (norm == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {                                                  \
      x = __builtin_copysign##suffix((type)INFINITY, c) * a;                                                          \
      y = __builtin_copysign##suffix((type)INFINITY, c) * b;                                                          \
    } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {        \
      a = support_boxed##suffix(a), b = support_boxed##suffix(b);                                                     \
      x = (type)INFINITY * (a * c + b * d);                                                                           \
      y = (type)INFINITY * (b * c - a * d);                                                                           \
    } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {        \
      c = support_boxed##suffix(c), d = support_boxed##suffix(d);                                                     \
      x = (type)0 * (a * c + b * d);                                                                                  \
      y = (type)0 * (b * c - a * d);                                                                                  \
    }                                                                                                                 \
    return support_complex##suffix(x, y);                                                                             \
  }

FAMILY(float, __mulsc3, __divsc3, f)
FAMILY(double, __muldc3, __divdc3, )
FAMILY(long double, __mulxc3, __divxc3, l)
