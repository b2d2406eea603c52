// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DTOO_FAR sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:1,tso:1,pso:1
//
// Arrays whose length is known at run time only have exact bounds, too.
#include <assert.h>

static int triangle(int n) {
  int row[n];
  for (int i = 0; i < n; i++)
    row[i] = i ? row[i - 1] + i : 0;
#ifdef TOO_FAR
  return row[n];
#else
  return row[n - 1];
#endif
}

int main(void) {
  assert(triangle(1) == 0 && triangle(5) == 10);
  return 0;
}
