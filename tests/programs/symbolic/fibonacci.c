// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSAFE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DTURNS=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DTURNS=2 -DSAFE --rounds=4 --max-clock=2 sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --engine=symbolic -DTURNS=2 --width=5 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DTURNS=2 --width=3 --rounds=4 --max-clock=2 sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Two threads add two counters to each other. The greatest sum needs a change of threads after each addition,
// so there is one execution among many that reaches the Fibonacci number, and none beyond.
#include <assert.h>
#include <pthread.h>

#ifndef TURNS
#define TURNS 4
#endif

static volatile int first = 1, second = 1;

static void *add_to_first(void *unused) {
  for (int turn = 0; turn < TURNS; turn++)
    first = first + second;
  return unused;
}

static void *add_to_second(void *unused) {
  for (int turn = 0; turn < TURNS; turn++)
    second = second + first;
  return unused;
}

// The number after TURNS additions of each thread, which take turns.
static int greatest(void) {
  int smaller = 1, larger = 1;
  for (int sums = 0; sums < 2 * TURNS; sums++) {
    int sum = smaller + larger;
    smaller = larger;
    larger = sum;
  }
  return larger;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, add_to_first, 0);
  pthread_create(&threads[1], 0, add_to_second, 0);
  int limit = greatest();
#ifdef SAFE
  limit++;
#endif
  int one = first, other = second;
  assert(one < limit && other < limit);
  return 0;
}
