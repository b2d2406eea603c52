// check: sc=holds tso=holds pso=holds states=sc:143,tso:83,pso:83
// check: -DROUNDS=2 sc=holds tso=holds pso=holds states=sc:673,tso:348,pso:348
// check: -DTHREADS=3 sc=holds tso=holds pso=holds states=sc:2040,tso:1067,pso:1067
// check: -DRELAXED_UNLOCK sc=holds tso=holds pso=violated(assertion) at=64 states=sc:143,tso:83,pso:102
// check: -DLATE_WAITING sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=64 states=sc:326,tso:307,pso:320
//
// The MCS lock: J. M. Mellor-Crummey and M. L. Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", ACM TOCS 9(1), 1991, algorithm 5. Threads queue up by exchanging the tail; each spins on a flag of its own.
// Who finds nobody behind it unlocks by compare-exchange, a full fence. Who hands over does so by a store that must
// stay behind the critical section: TSO's order, or a release (-DRELAXED_UNLOCK: not under PSO).
// A node must say that it waits before its predecessor can know it; otherwise the hand-over can come first and be overwritten.
// With -DLATE_WAITING the thread then does not wait at all but enters, because `waiting` is set only after the first look at it.
#include "../mutex/mutex.h"

#ifdef RELAXED_UNLOCK
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_bool waiting;
};

static struct node nodes[THREADS];
static _Atomic(struct node *) tail;

static void lock(int me) {
  struct node *mine = &nodes[me];
  SET(mine->next, NULL);
#ifndef LATE_WAITING
  SET(mine->waiting, 1);
#endif
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before == NULL)
    return;
  atomic_store_explicit(&before->next, mine, memory_order_release);
  while (atomic_load_explicit(&mine->waiting, memory_order_acquire))
    ;
#ifdef LATE_WAITING
  SET(mine->waiting, 1);
#endif
}

static void unlock(int me) {
  struct node *mine = &nodes[me], *myself = mine;
  if (atomic_load_explicit(&mine->next, memory_order_acquire) == NULL) {
    if (atomic_compare_exchange_strong(&tail, &myself, NULL))
      return;
    while (atomic_load_explicit(&mine->next, memory_order_acquire) == NULL)
      ;
  }
  atomic_store_explicit(&GET(mine->next)->waiting, 0, HAND_OVER);
}
