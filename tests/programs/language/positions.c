// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DMIXED sc=violated(format-mismatch) tso=violated(format-mismatch) pso=violated(format-mismatch) states=sc:1,tso:1,pso:1
// check: -DGAP sc=violated(format-mismatch) tso=violated(format-mismatch) pso=violated(format-mismatch) states=sc:1,tso:1,pso:1
// check: -DTWICE sc=violated(format-mismatch) tso=violated(format-mismatch) pso=violated(format-mismatch) states=sc:1,tso:1,pso:1
// check: -DTYPE sc=violated(format-mismatch) tso=violated(format-mismatch) pso=violated(format-mismatch) states=sc:1,tso:1,pso:1
//
// Formats that number their arguments, in a call and in a va_list.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[100];

static void print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}

#define CHECK(expected, ...) (print(__VA_ARGS__), assert(!strcmp(text, expected)),                                    \
                              sprintf(text, __VA_ARGS__), assert(!strcmp(text, expected)))

int main(void) {
  CHECK("two 1 two %", "%2$s %1$d %2$s %%", 1, "two");
  CHECK("    5|1.50000", "%2$*1$d|%3$.*2$f", 5, 5, 1.5);
  CHECK("0x10 2.5 16", "%2$#lx %1$.1Lf %2$ld", 2.5L, 16L);
  CHECK("-3   |ab", "%1$-*3$d|%2$.*4$s", -3, "abc", 5, 2);
  int (*through_pointer)(char *, const char *, ...) = sprintf;
  assert(through_pointer(text, "%2$s %1$d", 7, "of") == 4 && !strcmp(text, "of 7"));
#ifdef MIXED
  print("%1$d %d", 1, 2);
#endif
#ifdef GAP
  print("%2$d", 1, 2);
#endif
#ifdef TWICE
  print("%1$d %1$ld", 1);
#endif
#ifdef TYPE
  print("%2$d %1$s", "one", 2L);
#endif
  return 0;
}
