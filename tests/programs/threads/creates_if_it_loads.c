// check: -DWHICH=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWHICH=1 --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWHICH=2 --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWHICH=1 -DHOLDS --keep-going --cross-check sc=holds tso=holds pso=holds
// check: -DWHICH=2 -DHOLDS --keep-going --cross-check sc=holds tso=holds pso=holds
//
// A thread that is alone creates another one in the same step in which it has loaded whether it does: with
// another source of the load, no number of a thread is taken.
#include <assert.h>
#include <pthread.h>

static volatile int last;
static int created;

static void *first(void *unused) {
  last = 1;
  return unused;
}

static void *second(void *unused) {
  last = 2;
  return unused;
}

static void *third(void *unused) {
  created = 1;
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  if (last == WHICH) {
    pthread_create(&threads[2], 0, third, 0);
    pthread_join(threads[2], 0);
  }
#ifndef HOLDS
  assert(created);
#endif
  return 0;
}
