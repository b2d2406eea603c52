// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:13,tso:17,pso:17
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSAME_PART sc=holds tso=holds pso=holds states=sc:11,tso:12,pso:12
// check: --engine=dpor -DSAME_PART sc=holds tso=holds pso=holds
//
// A part of a copy can be seen before another part was loaded: who finds the second part copied may change the first one
// in time. A part itself is stored after it was loaded.
#include <assert.h>
#include <pthread.h>

struct pair {
  long first, second;
};

static struct pair from = {1, 1}, to;

static void *copier(void *unused) {
  to = from;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, copier, NULL);
#ifdef SAME_PART
  long seen = *(volatile long *)&to.first;
#else
  long seen = *(volatile long *)&to.second;
#endif
  if (seen)
    *(volatile long *)&from.first = 2;
  pthread_join(thread, NULL);
  assert(!seen || to.first == 1);
  return 0;
}
