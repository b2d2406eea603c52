// check: sc=violated(format-mismatch) tso=violated(format-mismatch) at=46 states=sc:1,tso:1
// check: -DLONG sc=violated(format-mismatch) at=26 states=sc:1
// check: -DFLOAT sc=violated(format-mismatch) at=28 states=sc:1
// check: -DPOINTER sc=violated(format-mismatch) at=30 states=sc:1
// check: -DLIST_LONG sc=violated(format-mismatch) at=19 states=sc:1
// check: -DLIST_INT sc=violated(format-mismatch) at=19 states=sc:1
// check: -DLIST_SHORT sc=violated(format-mismatch) at=19 states=sc:1
// check: -DLIST_DOUBLE sc=violated(uninitialised-argument) at=19 states=sc:1
// check: -DLIST_NO_DOUBLE sc=violated(format-mismatch) at=19 states=sc:1
// check: -DSCAN sc=violated(format-mismatch) at=42 states=sc:1
// check: -DUNKNOWN sc=violated(format-mismatch) at=44 states=sc:1
//
// An argument that does not fit its conversion, in the call itself and through a va_list.
#include <stdarg.h>
#include <stdio.h>

static void say(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format), vsprintf(to, format, list);
  va_end(list);
}

int main(void) {
  char to[64];
#if defined LONG
  printf("%ld\n", 1);
#elif defined FLOAT
  printf("%.2f\n", 1);
#elif defined POINTER
  printf("%s\n", 'x');
#elif defined LIST_LONG
  say(to, "%d %ld", 1, 2);
#elif defined LIST_INT
  say(to, "%d", 1L);
#elif defined LIST_SHORT
  say(to, "%d %d", 1);
#elif defined LIST_DOUBLE
  say(to, "%ld", 1.0);
#elif defined LIST_NO_DOUBLE
  say(to, "%f", 1L);
#elif defined SCAN
  sscanf("1 2", "%*d %d");
#elif defined UNKNOWN
  printf("%k\n", 1);
#else
  sprintf(to, "%d and %d", 1);
#endif
  say(to, "%s", "");
  return 0;
}
