// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Variable arguments of several types, more than fit into registers, and a copied list.
#include <assert.h>
#include <stdarg.h>

static long sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  long total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, long);
  for (int i = 0; i < count; i++)
    total += va_arg(again, long);
  va_end(again);
  va_end(list);
  return total;
}

static int mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  int total = 0;
  for (; *kinds; kinds++) {
    if (*kinds == 'i')
      total += va_arg(list, int);
    else if (*kinds == 'd')
      total += (int)va_arg(list, double);
    else
      total += *va_arg(list, int *);
  }
  va_end(list);
  return total;
}

int main(void) {
  int five = 5;
  assert(sum(0) == 0);
  assert(sum(8, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L) == 72);
  assert(mixed("idpd", 1, 2.5, &five, 10.0) == 18);
  return 0;
}
