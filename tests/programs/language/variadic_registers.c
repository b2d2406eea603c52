// check: sc=holds tso=holds pso=holds
// check: --cflags=-O2 sc=holds
// check: --engine=dpor sc=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds)
// check: -DMISSING_INTEGER sc=violated(out-of-bounds) at=27
// check: -DMISSING_DOUBLE sc=violated(out-of-bounds) at=29
// check: -DMISSING_ON_STACK sc=violated(out-of-bounds) at=32
//
// Variable arguments in general registers, in vector registers and on the stack. A 128-bit integer or a
// structure of two words takes two registers if both are left, at whatever place, and else memory. What is
// not given is out of bounds.
#include <assert.h>
#include <stdarg.h>

struct pair { long first, second; };
struct number_and_real { double real; long number; };
struct reals { float first, second; };
struct triple { long numbers[3]; };

static long sum_of_all(int first, double second, ...) {
  va_list list;
  va_start(list, second);
  long sum = first + (long)second;
#if defined MISSING_INTEGER || defined MISSING_DOUBLE || defined MISSING_ON_STACK
  sum += va_arg(list, int);
#ifdef MISSING_INTEGER
  sum += va_arg(list, int);
#elif defined MISSING_DOUBLE
  sum += (long)va_arg(list, double);
#else
  sum += (long)va_arg(list, struct triple).numbers[0];
  sum += (long)va_arg(list, struct triple).numbers[0];
#endif
#else
  sum += va_arg(list, int);
  sum += (long)va_arg(list, __int128);
  sum += (long)va_arg(list, double);
  struct pair pair = va_arg(list, struct pair);
  sum += pair.first + pair.second;
  struct number_and_real mixed = va_arg(list, struct number_and_real);
  sum += (long)mixed.real + mixed.number;
  sum += va_arg(list, int);
  struct reals reals = va_arg(list, struct reals);
  sum += (long)(reals.first + reals.second);
  sum += va_arg(list, struct triple).numbers[2];
  sum += (long)va_arg(list, long double);
  for (int at = 0; at < 6; at++)
    sum += (long)va_arg(list, double);
  sum += (long)va_arg(list, __int128);
#endif
  va_end(list);
  return sum;
}

int main(void) {
#if defined MISSING_INTEGER || defined MISSING_DOUBLE
  sum_of_all(1, 2.0, 3);
#elif defined MISSING_ON_STACK
  sum_of_all(1, 2.0, 3, (struct triple){{4, 5, 6}});
#else
  const struct pair pair = {10, 20};
  const struct number_and_real mixed = {30, 40};
  const struct reals reals = {50, 60};
  const struct triple triple = {{0, 0, 70}};
  const __int128 wide = 80;
  long sum = sum_of_all(1, 2, 3, (__int128)4, 5.0, pair, mixed, 6, reals, triple, 7.0L, 1., 2., 3., 4., 5., 6., wide);
  assert(sum == 1 + 2 + 3 + 4 + 5 + 30 + 70 + 6 + 110 + 70 + 7 + 21 + 80);
#endif
  return 0;
}
