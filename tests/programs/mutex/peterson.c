// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:99,tso:143,pso:160
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:99,tso:91,pso:182
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:99,tso:91,pso:91
// check: -DFENCE_PSO -DUNORDERED sc=holds tso=holds pso=violated(assertion) states=sc:99,tso:91,pso:165
// check: --robustness -DFENCE_TSO tso=holds
// check: --robustness -DFENCE_PSO sc=holds tso=holds pso=holds
//
// G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981.
// PSO needs a barrier also on entry: if turn is visible before flag, the other thread sees no flag and enters, and
// its own store to turn lets this thread in (-DUNORDERED).
// optimised: differs LLVM 16 makes turn a local variable, see ordering/optimiser_privatises_a_global.c
#include "mutex.h"

static atomic_int flag[2], turn;

static void lock(int me) {
  int other = 1 - me;
  SET(flag[me], 1);
#ifndef UNORDERED
  store_store();
#endif
  SET(turn, other);
  store_load();
  while (GET(flag[other]) && GET(turn) == other)
    ;
}

static void unlock(int me) {
  store_store();
  SET(flag[me], 0);
}
