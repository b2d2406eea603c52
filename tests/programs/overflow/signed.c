// check: --overflow -DOP=1 sc=violated(signed-overflow) at=24 states=sc:1
// check: --overflow -DOP=2 sc=violated(signed-overflow) at=26 states=sc:1
// check: --overflow -DOP=3 sc=violated(signed-overflow) at=28 states=sc:1
// check: --overflow -DOP=4 sc=violated(signed-overflow) at=30 states=sc:1
// check: --overflow -DOP=5 sc=violated(signed-overflow) at=32 states=sc:1
// check: --overflow -DOP=6 sc=violated(division-overflow) at=34 states=sc:1
// check: --overflow -DOP=7 sc=violated(signed-overflow) at=36 states=sc:1
// check: --overflow -DOP=8 sc=holds states=sc:1
// check: -DOP=1 sc=violated(undefined-result) at=24 states=sc:1
// check: -DOP=1 --cflags=-fwrapv sc=holds states=sc:1
// check: --overflow -DOP=9 sc=violated(signed-overflow) at=38
// check: -DOP=9 sc=holds
// check: --property=no-overflow -DOP=3 sc=violated(signed-overflow) at=28 states=sc:1
//
// Each operation on signed numbers whose result does not fit is found where it is; unsigned numbers wrap, and so do conversions. Without the option
// the result is undefined, which matters where something depends on it; with -fwrapv signed numbers wrap.
#include <limits.h>

int most = INT_MAX, least = INT_MIN, minus = -1, result;
long long wide = LLONG_MAX;

int main(void) {
#if OP == 1
  result = most + 1;
#elif OP == 2
  result = least - 1;
#elif OP == 3
  result = most * 2;
#elif OP == 4
  result = -least;
#elif OP == 5
  most++;
#elif OP == 6
  result = least / minus;
#elif OP == 7
  wide += 1;
#elif OP == 9
  int unused = most + 1;
  unused = 1;
  result = unused;
#else
  unsigned wraps = (unsigned)most * 4u + (unsigned)least;
  short narrow = (short)(most - 1);
  result = (int)wraps + narrow;
#endif
  return 0;
}
