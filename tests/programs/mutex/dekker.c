// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:107,tso:97,pso:114
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:107,tso:88,pso:114
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:107,tso:88,pso:100
//
// Th. J. Dekker's algorithm, after E. W. Dijkstra, "Cooperating sequential processes", EWD 123, 1965.
// TSO lets both threads read flag before either announcement is visible. PSO also lets the announcement be withdrawn
// before the critical section's store is visible. turn and flag need no order at unlock: who sees turn still checks flag.
#include "mutex.h"

static atomic_int flag[2], turn;

static void lock(int me) {
  int other = 1 - me;
  SET(flag[me], 1);
  store_load();
  while (GET(flag[other])) {
    if (GET(turn) == me)
      continue;
    SET(flag[me], 0);
    while (GET(turn) != me)
      ;
    SET(flag[me], 1);
    store_load();
  }
}

static void unlock(int me) {
  store_store();
  SET(turn, 1 - me);
  SET(flag[me], 0);
}
