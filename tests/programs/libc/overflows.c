// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=18 states=sc:1,tso:1,pso:1
// check: -DCAT sc=violated(out-of-bounds) at=21 states=sc:1
// check: -DPRINT sc=violated(out-of-bounds) at=23 states=sc:1
// check: -DDUPLICATE sc=violated(out-of-bounds) at=26 states=sc:1
// check: -DSCAN sc=violated(out-of-bounds) at=28 states=sc:1
// check: -DFITS sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, the copy is of a constant and becomes a store
//
// Library functions write or read beyond a buffer: what is wrong is reported at the call.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char to[8];
#if !defined CAT && !defined PRINT && !defined DUPLICATE && !defined SCAN && !defined FITS
  const char *text = "eight...";
  strcpy(to, text);
#elif defined CAT
  strcpy(to, "four");
  strcat(to, "more");
#elif defined PRINT
  sprintf(to, "%d", 12345678);
#elif defined DUPLICATE
  memset(to, 'x', sizeof to);
  free(strdup(to));
#elif defined SCAN
  sscanf("a_long_word", "%s", to);
#else
  strcpy(to, "seven..");
  snprintf(to, sizeof to, "%d", 1234567890);
  sscanf("a_long_word", "%7s", to);
#endif
  return to[0] == 0;
}
