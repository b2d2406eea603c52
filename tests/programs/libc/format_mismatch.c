// check: sc=violated(format-mismatch) tso=violated(format-mismatch) at=24 states=sc:1,tso:1
// check: -DLONG sc=violated(format-mismatch) at=26 states=sc:1
// check: -DFLOAT sc=violated(format-mismatch) at=28 states=sc:1
// check: -DPOINTER sc=violated(format-mismatch) at=30 states=sc:1
// check: -DLIST_LONG sc=violated(format-mismatch) at=17 states=sc:1
// check: -DLIST_INT sc=violated(format-mismatch) at=17 states=sc:1
// check: -DLIST_SHORT sc=violated(format-mismatch) at=17 states=sc:1
// check: -DSCAN sc=violated(format-mismatch) at=38 states=sc:1
// check: -DUNKNOWN sc=violated(format-mismatch) at=40 states=sc:1
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
#if !defined LONG && !defined FLOAT && !defined POINTER && !defined LIST_LONG && !defined LIST_INT && !defined LIST_SHORT && !defined SCAN && !defined UNKNOWN
  sprintf(to, "%d and %d", 1);
#elif defined LONG
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
#elif defined SCAN
  sscanf("1 2", "%*d %d");
#else
  printf("%k\n", 1);
#endif
  say(to, "%s", "");
  return 0;
}
