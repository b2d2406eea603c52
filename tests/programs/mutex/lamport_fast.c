// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:395,tso:257,pso:384
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:395,tso:331,pso:365
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:395,tso:331,pso:359
// check: -DFENCE_PSO -DUNORDERED sc=holds tso=holds pso=holds states=sc:395,tso:331,pso:385
// check: -DFENCE_PSO -DROUNDS=2 sc=holds tso=holds pso=holds states=sc:1597,tso:1365,pso:1558
// check: -DFENCE_PSO -DROUNDS=2 -DUNORDERED sc=holds tso=holds pso=violated(assertion) states=sc:1597,tso:1365,pso:2179
// optimised: differs LLVM 16 makes x a local variable, see ordering/optimiser_privatises_a_global.c
//
// L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, Algorithm 2.
// The order of y and trying at unlock matters from the second round on: a thread in the slow path that sees trying
// withdrawn, but not yet the reset of y, enters, and the late reset then lets a further thread in
// (-DUNORDERED).
#include "mutex.h"

// Threads are named 1..THREADS in x and y; 0 is nobody.
static atomic_int trying[THREADS], x, y;

static void await_nobody_trying(void) {
  for (int i = 0; i < THREADS; i++)
    while (GET(trying[i]))
      ;
}

static void lock(int me) {
  for (;;) {
    SET(trying[me], 1);
    SET(x, me + 1);
    store_load();
    if (GET(y) != 0) {
      SET(trying[me], 0);
      while (GET(y) != 0)
        ;
      continue;
    }
    SET(y, me + 1);
    store_load();
    if (GET(x) == me + 1)
      return;
    SET(trying[me], 0);
    await_nobody_trying();
    if (GET(y) == me + 1)
      return;
    while (GET(y) != 0)
      ;
  }
}

static void unlock(int me) {
  store_store();
  SET(y, 0);
#ifndef UNORDERED
  store_store();
#endif
  SET(trying[me], 0);
}
