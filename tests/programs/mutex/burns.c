// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:95,tso:256,pso:282
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:95,tso:95,pso:105
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:95,tso:95,pso:95
//
// J. E. Burns, "Mutual exclusion with linear waiting using binary shared variables", SIGACT News 10(2), 1978; J. E. Burns
// and N. A. Lynch, "Bounds on shared memory for mutual exclusion", Information and Computation 107(2), 1993: one bit
// per thread. The withdrawal is fenced only because it is in a loop, which would otherwise fill the buffer without end.
#include "mutex.h"

static atomic_int flag[THREADS];

static int anybody(int first, int end) {
  for (int i = first; i < end; i++)
    if (GET(flag[i]))
      return 1;
  return 0;
}

static void lock(int me) {
  do {
    do {
      SET(flag[me], 0);
      store_load();
    } while (anybody(0, me));
    SET(flag[me], 1);
    store_load();
  } while (anybody(0, me));
  while (anybody(me + 1, THREADS))
    ;
}

static void unlock(int me) {
  store_store();
  SET(flag[me], 0);
}
