// check: sc=holds tso=violated(assertion) states=sc:2299,tso:298830
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:2299,tso:3658,pso:51644
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:2299,tso:3658,pso:3658
//
// G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981: the solution
// for n processes, today called the filter lock, here for three.
// optimised: differs LLVM 16 makes victim a local variable, see ordering/optimiser_privatises_a_global.c
#define THREADS 3
#include "mutex.h"

static atomic_int level[THREADS], last[THREADS];

static int somebody_ahead(int me, int mine) {
  for (int i = 0; i < THREADS; i++)
    if (i != me && GET(level[i]) >= mine)
      return 1;
  return 0;
}

static void lock(int me) {
  for (int mine = 1; mine < THREADS; mine++) {
    SET(level[me], mine);
    store_store();
    SET(last[mine], me);
    store_load();
    while (somebody_ahead(me, mine) && GET(last[mine]) == me)
      ;
  }
}

static void unlock(int me) {
  store_store();
  SET(level[me], 0);
}
