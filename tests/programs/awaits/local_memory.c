// check: -DWAITS sc=holds tso=holds pso=holds
// check: -DWAITS --no-reduce=paths,private sc=holds tso=holds pso=holds
// check: -DWAITS --no-reduce=paths --no-local-memory sc=holds tso=holds pso=holds
// check: -DWAITS --reduce=dead sc=holds tso=holds pso=holds
// check: -DWAITS --engine=dpor --no-local-memory sc=holds tso=holds pso=holds
// check: -DWAITS -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DWAITS -DNEVER --no-local-memory sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DWAITS -DNEVER --reduce=none sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DWAITS -DNEVER --engine=dpor --no-local-memory sc=violated(deadlock) tso=violated(deadlock)
// check: -DCOUNTS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DCOUNTS --no-local-memory sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DCOUNTS --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DCOUNTS --engine=dpor --no-local-memory sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DARGUMENTS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DARGUMENTS --engine=dpor --no-local-memory sc=violated(assertion) tso=violated(assertion)
//
// What a waiting loop writes to local memory that stays in memory is part of what its thread knows, whichever reductions are on: two moments that differ
// in it are no round. The loop waits for a value that comes (-DWAITS), or gives up after three rounds (-DCOUNTS), or counts with the arguments of a function.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>

static atomic_int given;

#ifdef ARGUMENTS
static int sum(int number, ...) {
  va_list list;
  va_start(list, number);
  int all = 0;
  for (int at = 0; at < number; at++)
    all += va_arg(list, int);
  va_end(list);
  return all;
}
#endif

static void *wait(void *unused) {
#if defined WAITS
  volatile int seen;
  do
    seen = atomic_load(&given);
  while (seen != 2);
#elif defined COUNTS
  volatile int rounds = 0;
  int seen;
  do {
    rounds++;
    seen = atomic_load(&given);
  } while (seen != 2 && rounds < 3);
  assert(rounds < 3);
#else
  volatile int rounds = 0;
  int seen;
  do {
    rounds = sum(2, rounds, 1);
    seen = atomic_load(&given);
  } while (seen != 2 && rounds < 3);
  assert(rounds < 3);
#endif
  return unused;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait, NULL);
  atomic_store(&given, 1);
#ifndef NEVER
  atomic_store(&given, 2);
#endif
  pthread_join(waiter, NULL);
  return 0;
}
