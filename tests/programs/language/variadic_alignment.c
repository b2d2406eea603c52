// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds states=sc:1
//
// Variable arguments that are more aligned than their parts are, in every place among others.
#include <assert.h>
#include <stdarg.h>

struct half { int number; } __attribute__((aligned(16)));
struct line { int number; char rest[40]; } __attribute__((aligned(32)));
struct page { long number; } __attribute__((aligned(64)));
struct plain { int numbers[5]; };

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int sum = 0;
  for (int at = 0; at < 6; at++)
    sum += va_arg(list, int);
  sum += va_arg(list, struct half).number;
  sum += va_arg(list, int);
  sum += va_arg(list, struct line).number;
  sum += va_arg(list, struct plain).numbers[4];
  sum += (int)va_arg(list, long double);
  sum += (int)va_arg(list, struct page).number;
  sum += va_arg(list, struct line).rest[39];
  sum += va_arg(list, int);
  va_end(list);
  return sum;
}

int main(void) {
  struct half half = {100};
  struct line line = {200, {0}}, tail = {0, {0}};
  struct page page = {500};
  struct plain plain = {{0, 0, 0, 0, 300}};
  tail.rest[39] = 7;
  assert(sum(6, 1, 2, 3, 4, 5, 6, half, 10, line, plain, 20.0L, page, tail, 40) == 1198);
  return 0;
}
