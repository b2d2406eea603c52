// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=64 states=sc:311,tso:1921,pso:2373
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) at=64 states=sc:311,tso:420,pso:657
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:311,tso:420,pso:420
//
// M. A. Eisenberg and M. R. McGuire, "Further comments on Dijkstra's concurrent programming control problem", CACM 15(11), 1972.
// A thread says that it is active and then looks whether another is: the store must be in memory before the look, a full fence under
// TSO. Under PSO the way out needs barriers as well: `turn` and the withdrawal must not overtake the critical section.
#include "../mutex/mutex.h"

enum { IDLE, WAITING, ACTIVE };

static atomic_int state[THREADS], turn;

static int first_active_but(int me) {
  int other = 0;
  while (other < THREADS && (other == me || GET(state[other]) != ACTIVE))
    other++;
  return other;
}

static void lock(int me) {
  do {
    SET(state[me], WAITING);
    // Threads between turn and me go first.
    for (int at = GET(turn); at != me;)
      at = GET(state[at]) != IDLE ? GET(turn) : (at + 1) % THREADS;
    SET(state[me], ACTIVE);
    store_load();
  } while (first_active_but(me) < THREADS || (GET(turn) != me && GET(state[GET(turn)]) != IDLE));
  SET(turn, me);
}

static void unlock(int me) {
  int next = (GET(turn) + 1) % THREADS;
  while (GET(state[next]) == IDLE)
    next = (next + 1) % THREADS;
  store_store();
  SET(turn, next);
  store_store();
  SET(state[me], IDLE);
}
