// check: --engine=symbolic sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DSAFE sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --engine=symbolic -DCALLS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DCALLS --unroll=2 sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// The violation is behind a loop of five turns with an input in each, or behind calls that are nested as
// deep. The first bounds all stop before it, with formulas of one size, and the engine goes on to larger
// ones.
#include <assert.h>
#include <rmc.h>

static long sum(int count) {
#ifdef CALLS
  return count == 0 ? 0 : 1 + sum(count - 1);
#else
  long sum = 0;
  for (int turn = 0; turn < count; turn++)
    sum += rmc_int(0, 1);
  return sum;
#endif
}

int main(void) {
#ifdef SAFE
  assert(sum(5) <= 5);
#else
  assert(sum(5) != 5);
#endif
  return 0;
}
