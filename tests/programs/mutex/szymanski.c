// check: sc=holds tso=violated(deadlock) pso=violated(deadlock) states=sc:153,tso:265,pso:274
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:153,tso:185,pso:198
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:153,tso:185,pso:185
//
// B. K. Szymanski, "A simple solution to Lamport's concurrent programming problem with linear wait", International
// Conference on Supercomputing, 1988. Each thread writes one variable only, so that PSO adds nothing on entry.
// With store buffers the threads can also come to wait for each other for ever, sooner than both enter.
#include "mutex.h"

enum { OUTSIDE, WANTS_IN, WAITS_FOR_OTHERS, AT_THE_DOOR, DOOR_CLOSED };
static atomic_int flag[2];

static void lock(int me) {
  int other = 1 - me;
  SET(flag[me], WANTS_IN);
  store_load();
  while (GET(flag[other]) > WAITS_FOR_OTHERS)
    ;
  SET(flag[me], AT_THE_DOOR);
  store_load();
  if (GET(flag[other]) == WANTS_IN) {
    SET(flag[me], WAITS_FOR_OTHERS);
    store_load();
    while (GET(flag[other]) != DOOR_CLOSED)
      ;
  }
  SET(flag[me], DOOR_CLOSED);
  store_load();
  if (me > other)
    while (GET(flag[other]) > WANTS_IN)
      ;
}

static int may_still_be_at_the_door(int thread) {
  int state = GET(flag[thread]);
  return state == WAITS_FOR_OTHERS || state == AT_THE_DOOR;
}

static void unlock(int me) {
  int other = 1 - me;
  if (me < other)
    while (may_still_be_at_the_door(other))
      ;
  store_store();
  SET(flag[me], OUTSIDE);
}
