// check: --max-states=20000 sc=unknown(stack-depth) tso=unknown(stack-depth) pso=unknown(stack-depth)
// optimised: differs the optimiser makes a loop of the recursion
//
// A recursion without end is met by a limit, not by a crash.
static volatile int depth;

static int deeper(int n) {
  depth = n;
  return depth == n ? deeper(n + 1) + 1 : 0;
}

int main(void) { return deeper(0); }
