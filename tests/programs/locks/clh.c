// check: sc=holds tso=holds pso=holds states=sc:346,tso:181,pso:181
// check: -DROUNDS=2 sc=holds tso=holds pso=holds states=sc:1408,tso:727,pso:727
// check: -DRELAXED_UNLOCK sc=holds tso=holds pso=violated(assertion) at=64 states=sc:346,tso:181,pso:224
// check: -DLATE_BUSY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=64 states=sc:579,tso:391,pso:375
//
// The CLH lock: T. S. Craig, "Building FIFO and priority-queueing spin locks from atomic swap", University of Washington TR
// 93-02-02, 1993; P. Magnusson, A. Landin and E. Hagersten, "Queue locks on cache coherent multiprocessors", IPPS 1994.
// A thread spins on its predecessor's node, and takes that node for its next round: its own may still be watched.
// The node is marked busy before the exchange shows it, and the exchange is a full fence. Marked afterwards, a
// successor can find it free (-DLATE_BUSY). The store that unlocks must stay behind the critical section (-DRELAXED_UNLOCK: not under PSO).
#include "../mutex/mutex.h"

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

struct node {
  atomic_bool busy;
};

// One node per thread, and one that is free from the start.
static struct node nodes[THREADS + 1];
static _Atomic(struct node *) tail = &nodes[THREADS];
static struct node *mine[THREADS], *watched[THREADS];  // each element is used by its own thread only

static void lock(int me) {
  if (mine[me] == NULL)
    mine[me] = &nodes[me];
#ifndef LATE_BUSY
  SET(mine[me]->busy, 1);
#endif
  watched[me] = atomic_exchange_explicit(&tail, mine[me], memory_order_acq_rel);
#ifdef LATE_BUSY
  SET(mine[me]->busy, 1);
#endif
  while (atomic_load_explicit(&watched[me]->busy, memory_order_acquire))
    ;
}

static void unlock(int me) {
  atomic_store_explicit(&mine[me]->busy, 0, UNLOCK);
  mine[me] = watched[me];
}
