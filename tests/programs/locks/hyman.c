// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=64 states=sc:115,tso:76,pso:101
// check: -DFENCE_PSO sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=64 states=sc:115,tso:98,pso:98
//
// H. Hyman, "Comments on a problem in concurrent programming control", CACM 9(1), 1966: a published lock that is none, as D. E. Knuth
// noticed four months later. A thread that finds the other idle while it is not its turn takes the turn, but does not look again
// before it enters; the other, whose turn it was, may have entered meanwhile. No fence helps: it is wrong under SC.
#include "../mutex/mutex.h"

static atomic_int wants[2], turn;

static void lock(int me) {
  int other = 1 - me;
  SET(wants[me], 1);
  store_load();
  while (GET(turn) != me) {
    while (GET(wants[other]))
      ;
    SET(turn, me);
    store_load();
  }
}

static void unlock(int me) {
  store_store();
  SET(wants[me], 0);
}
