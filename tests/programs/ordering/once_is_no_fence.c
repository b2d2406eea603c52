// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:58,tso:64,pso:64
// check: --engine=dpor sc=holds tso=violated(assertion) pso=violated(assertion)
// check: --engine=reads-from sc=holds tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic --rounds=3 tso=violated(assertion) pso=violated(assertion)
// check: -DC11 sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:58,tso:64,pso:64
// check: -DRUNS sc=holds tso=holds pso=holds states=sc:96,tso:96,pso:96
//
// A routine that has run is found by a load, so that a store before it may be delayed beyond a load after it.
// The call that runs the routine is a fence.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static int x, y, first_saw, second_saw;

static void initialise(void) {}

#ifdef C11
typedef once_flag control;
#define CONTROL ONCE_FLAG_INIT
#define ONCE(control) call_once(&control, initialise)
#else
typedef pthread_once_t control;
#define CONTROL PTHREAD_ONCE_INIT
#define ONCE(control) pthread_once(&control, initialise)
#endif

static control common = CONTROL;
#ifdef RUNS
static control own_of_first = CONTROL, own_of_second = CONTROL;
#else
#define own_of_first common
#define own_of_second common
#endif

static void *first(void *unused) {
  x = 1;
  ONCE(own_of_first);
  first_saw = y;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  ONCE(own_of_second);
  second_saw = x;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  ONCE(common);
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(first_saw || second_saw);
  return 0;
}
