/*
 * Multiplication and division of complex numbers, where they are no plain formulas: with infinities, zeros and what is not a number.
 *
 * Source: ISO/IEC 9899:2011, Annex G.5.1, paragraphs 6 to 8: what the results are, and by which steps.
 * Quotients of `float` are computed in `double`. The others as in M. Baudin, R. L. Smith, "A Robust Complex
 * Division in Scilab", 2012, section 3, by Smith's formula, with another order of operations where the ratio
 * of the divisor's parts underflows; before, all parts are scaled where something would overflow or
 * underflow, by the bounds that libgcc has since GCC 12 (libgcc/libgcc2.c). C leaves the accuracy open; that
 * of libgcc is what a program natively has.
 */
#include <float.h>
#include <math.h>

/* The quotient where C has no special case, or two parts that are no numbers. */
#define ROBUST(type, suffix, prefix)                                                                                  \
  static type _Complex support_quotient##suffix(type *pa, type *pb, type *pc, type *pd) {                             \
    const type big = prefix##_MAX / 2, least = prefix##_MIN, small = prefix##_EPSILON, far = big * small;             \
    type a = *pa, b = *pb, c = *pc, d = *pd;                                                                          \
    int exchanged = __builtin_fabs##suffix(c) < __builtin_fabs##suffix(d);                                            \
    type large = exchanged ? d : c, other = exchanged ? c : d, scale = 1;                                             \
    type size = __builtin_fabs##suffix(large), sa = __builtin_fabs##suffix(a), sb = __builtin_fabs##suffix(b);        \
    if (size >= big) {                                                                                                \
      a /= 2, b /= 2, large /= 2, other /= 2;                                                                         \
      size = __builtin_fabs##suffix(large), sa = __builtin_fabs##suffix(a), sb = __builtin_fabs##suffix(b);           \
    }                                                                                                                 \
    if (size < small || (sa < least && sb < far && size < far) || (sb < least && sa < far && size < far))             \
      scale = 1 / small;                                                                                              \
    a *= scale, b *= scale, large *= scale, other *= scale;                                                           \
    /* Where the quotient is none, what is infinite now counts. */                                                    \
    *pa = a, *pb = b, *pc = exchanged ? other : large, *pd = exchanged ? large : other;                               \
    type ratio = other / large, norm = other * ratio + large;                                                         \
    /* Of an exchanged divisor, the quotient is that of b - ai. */                                                    \
    type first = exchanged ? b : a, second = exchanged ? -a : b;                                                      \
    type with = exchanged ? a : b, against = exchanged ? b : -a;                                                      \
    type x, y;                                                                                                        \
    if (__builtin_fabs##suffix(ratio) > least) {                                                                      \
      x = (with * ratio + first) / norm;                                                                              \
      y = (against * ratio + second) / norm;                                                                          \
    } else {                                                                                                          \
      x = (other * (with / large) + first) / norm;                                                                    \
      y = (other * (against / large) + second) / norm;                                                                \
    }                                                                                                                 \
    type _Complex z;                                                                                                  \
    __real__ z = x;                                                                                                   \
    __imag__ z = y;                                                                                                   \
    return z;                                                                                                         \
  }

ROBUST(double, , DBL)
ROBUST(long double, l, LDBL)

static float _Complex support_quotientf(float *pa, float *pb, float *pc, float *pd) {
  double a = *pa, b = *pb, c = *pc, d = *pd;
  double norm = c * c + d * d;
  float _Complex z;
  __real__ z = (float)((a * c + b * d) / norm);
  __imag__ z = (float)((b * c - a * d) / norm);
  return z;
}

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
  type _Complex divide(type a, type b, type c, type d) {                                                              \
    type _Complex z = support_quotient##suffix(&a, &b, &c, &d);                                                       \
    type x = __real__ z, y = __imag__ z;                                                                              \
    if (!__builtin_isnan(x) || !__builtin_isnan(y))                                                                   \
      return support_complex##suffix(x, y);                                                                           \
    if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {                                                  \
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
