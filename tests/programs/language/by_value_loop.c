// check: sc=holds tso=holds pso=holds states=sc:5,tso:11,pso:11
//
// A struct passed by value and variable arguments in an endless loop: their memory dies with the call, so states repeat.
#include <pthread.h>
#include <stdarg.h>

struct big {
  long part[4];
};

static volatile int go_on = 1;

static long first(struct big value) { return value.part[0]; }

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

static void *stopper(void *unused) {
  go_on = 0;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, stopper, NULL);
  struct big value = {{3, 2, 1, 0}};
  while (go_on)
    if (first(value) != 3 || sum(3, 1, 2, 3) != 6)
      return 1;
  pthread_join(thread, NULL);
  return 0;
}
