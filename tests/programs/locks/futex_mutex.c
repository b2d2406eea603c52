// check: sc=holds tso=holds pso=holds states=sc:152,tso:109,pso:119
// check: -DTHREADS=3 sc=holds tso=holds pso=holds states=sc:3763,tso:2725,pso:3327
// check: -DTHREADS=3 -DFORGETS_WAITERS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=63 states=sc:3167,tso:2298,pso:2780
// check: -DWAKE_FIRST sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=63 states=sc:155,tso:154,pso:164
//
// The second mutex of U. Drepper, "Futexes are tricky", 2004, section 6: 0 is free, 1 locked, 2 locked and somebody may sleep. Who unlocks makes
// a system call only if it finds 2. A thread that was woken takes the lock as 2, because it cannot know whether others sleep; if it takes
// it as 1, they sleep for ever (-DFORGETS_WAITERS, from three threads on). The lock must be free before the sleeper is woken, who would
// otherwise find it taken and sleep again (-DWAKE_FIRST). The counter is decremented atomically before the store of 0: a full fence for
// the critical section, under PSO too.
#include "../mutex/mutex.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FREE, LOCKED, CONTENDED };

static atomic_int word;

#ifdef FORGETS_WAITERS
#define TAKEN_AGAIN LOCKED
#else
#define TAKEN_AGAIN CONTENDED
#endif

static void sleep_while_contended(void) { syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, CONTENDED, NULL, NULL, 0); }

static void wake_one(void) { syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); }

// The word as it was; it is `to` now if it was `from`.
static int change(int from, int to) {
  atomic_compare_exchange_strong(&word, &from, to);
  return from;
}

static void lock(int me) {
  (void)me;
  int seen = change(FREE, LOCKED);
  while (seen != FREE) {
    if (seen == CONTENDED || change(LOCKED, CONTENDED) != FREE)
      sleep_while_contended();
    seen = change(FREE, TAKEN_AGAIN);
  }
}

static void unlock(int me) {
  (void)me;
  if (atomic_fetch_sub(&word, 1) == LOCKED)
    return;
#ifdef WAKE_FIRST
  wake_one();
  atomic_store_explicit(&word, FREE, memory_order_release);
#else
  atomic_store_explicit(&word, FREE, memory_order_release);
  wake_one();
#endif
}
