// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
//
// Direct and mutual recursion, with locals whose address goes down the stack.
#include <assert.h>
#include <stdbool.h>

static bool is_odd(unsigned n);
static bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
static bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static void count_down(int n, int *steps) {
  int more = 0;
  if (n > 0)
    count_down(n - 1, &more);
  *steps = more + 1;
}

int main(void) {
  int steps;
  count_down(20, &steps);
  assert(steps == 21);
  assert(fibonacci(10) == 55);
  assert(is_even(30) && !is_even(31));
  return 0;
}
