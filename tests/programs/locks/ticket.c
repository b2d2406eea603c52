// check: sc=holds tso=holds pso=holds states=sc:74,tso:65,pso:65
// check: -DROUNDS=2 sc=holds tso=holds pso=holds states=sc:179,tso:146,pso:146
// check: -DRELAXED_UNLOCK sc=holds tso=holds pso=violated(assertion) at=64 states=sc:74,tso:65,pso:83
// check: -DSPLIT_TICKET sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=63 states=sc:117,tso:80,pso:80
//
// The ticket lock: D. P. Reed and R. K. Kanodia, "Synchronization with eventcounts and sequencers", CACM 22(2), 1979; as a
// lock in J. M. Mellor-Crummey and M. L. Scott, "Algorithms for scalable synchronization on shared-memory multiprocessors",
// ACM TOCS 9(1), 1991, section 2.2.
// Nobody else draws my number, and only the holder moves `serving`, so a plain store is enough to unlock. TSO keeps it behind the
// critical section; PSO does not unless it is a release store (-DRELAXED_UNLOCK). A ticket drawn by a load and a store can
// be drawn twice (-DSPLIT_TICKET), and whoever draws the next one after that may wait for ever.
#include "../mutex/mutex.h"

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static atomic_uint next_ticket, serving;

static unsigned draw(void) {
#ifdef SPLIT_TICKET
  unsigned ticket = GET(next_ticket);
  SET(next_ticket, ticket + 1);
  return ticket;
#else
  return atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
#endif
}

static void lock(int me) {
  (void)me;
  unsigned ticket = draw();
  while (atomic_load_explicit(&serving, memory_order_acquire) != ticket)
    ;
}

static void unlock(int me) {
  (void)me;
  atomic_store_explicit(&serving, GET(serving) + 1, UNLOCK);
}
