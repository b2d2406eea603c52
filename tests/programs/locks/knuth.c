// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=64 states=sc:184,tso:400,pso:603
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) at=64 states=sc:184,tso:199,pso:252
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:184,tso:199,pso:199
//
// D. E. Knuth, "Additional comments on a problem in concurrent programming control", CACM 9(5), 1966: the first solution without
// starvation. A thread is inside only if it has said INSIDE and has then seen nobody else say so; TSO needs a full fence between the two,
// PSO also a barrier between the critical section and the stores that leave it.
#include "../mutex/mutex.h"

enum { IDLE, WAITING, INSIDE };

static atomic_int control[THREADS], turn;

static int somebody_else_is_inside(int me) {
  for (int other = 0; other < THREADS; other++)
    if (other != me && GET(control[other]) == INSIDE)
      return 1;
  return 0;
}

static void lock(int me) {
  do {
    SET(control[me], WAITING);
    for (int at = GET(turn); at != me;)
      at = GET(control[at]) != IDLE ? GET(turn) : (at + THREADS - 1) % THREADS;
    SET(control[me], INSIDE);
    store_load();
  } while (somebody_else_is_inside(me));
  SET(turn, me);
}

static void unlock(int me) {
  store_store();
  SET(turn, (me + THREADS - 1) % THREADS);
  store_store();
  SET(control[me], IDLE);
}
