// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:295,tso:430,pso:773
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:295,tso:272,pso:335
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:295,tso:272,pso:272
// check: -DFENCE_PSO -DUNORDERED sc=holds tso=holds pso=violated(assertion) states=sc:295,tso:272,pso:325
//
// L. Lamport, "A new solution of Dijkstra's concurrent programming problem", Communications of the ACM 17(8), 1974.
// PSO needs a barrier also on entry: if choosing is withdrawn before the number is visible, the other thread
// believes that nobody has a number (-DUNORDERED).
#include "mutex.h"

static atomic_int choosing[THREADS], number[THREADS];

static int next_number(void) {
  int highest = 0;
  for (int i = 0; i < THREADS; i++) {
    int taken = GET(number[i]);
    if (taken > highest)
      highest = taken;
  }
  return highest + 1;
}

static int goes_first(int theirs, int them, int mine, int me) {
  return theirs != 0 && (theirs < mine || (theirs == mine && them < me));
}

static void lock(int me) {
  SET(choosing[me], 1);
  store_load();
  int mine = next_number();
  SET(number[me], mine);
#ifndef UNORDERED
  store_store();
#endif
  SET(choosing[me], 0);
  store_load();
  for (int them = 0; them < THREADS; them++) {
    while (GET(choosing[them]))
      ;
    while (goes_first(GET(number[them]), them, mine, me))
      ;
  }
}

static void unlock(int me) {
  store_store();
  SET(number[me], 0);
}
