// check: sc=violated(undefined-result) tso=violated(undefined-result) pso=violated(undefined-result) at=20
// check: --engine=symbolic sc=violated(undefined-result) tso=violated(undefined-result) pso=violated(undefined-result) at=20
// check: -DLOCAL sc=violated(undefined-result) tso=violated(undefined-result) pso=violated(undefined-result) at=18
// check: --engine=symbolic -DLOCAL sc=violated(undefined-result) tso=violated(undefined-result) pso=violated(undefined-result) at=18
// optimised: differs the optimiser leaves out the store, or the overflow
//
// The result of an overflow must not be stored, nor where only one thread has the memory.
#include <limits.h>

static int result;

int main(void) {
  volatile int n = INT_MAX;
  int k = n;
#ifdef LOCAL
  volatile int own;
  int sum = k + 1;
  own = sum;
#else
  result = k + 1;
#endif
  return 0;
}
