// check: sc=holds tso=holds pso=violated(assertion) at=64 states=sc:55,tso:48,pso:58
// check: -DRELEASE_UNLOCK sc=holds tso=holds pso=holds states=sc:55,tso:48,pso:48
// check: -DRELEASE_UNLOCK -DTHREADS=3 sc=holds tso=holds pso=holds states=sc:343,tso:358,pso:358
// check: -DUNLOCKED_DECREMENT sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=63 states=sc:81,tso:55,pso:55
//
// Linux's spin lock for x86 as it was in version 2.6.24: taken by a locked decrement, given back by an ordinary store. Until 1999 the
// store had a lock prefix, and it took a long argument on the kernel's mailing list to learn that it needs none; P. Sewell, S. Sarkar, S.
// Owens, F. Zappa Nardelli and M. O. Myreen tell it and prove it in "x86-TSO", CACM 53(7), 2010.
// Under TSO the store leaves the buffer after the critical section's stores, so the lock is free no earlier than they are seen. PSO
// needs a release store (-DRELEASE_UNLOCK). The decrement does need its prefix (-DUNLOCKED_DECREMENT): a lost one
// leaves everybody waiting.
#include "../mutex/mutex.h"

#ifdef RELEASE_UNLOCK
#define UNLOCK memory_order_release
#else
#define UNLOCK memory_order_relaxed
#endif

static atomic_int free_slots = 1;  // 1: free; 0: taken; less: threads have tried meanwhile

static int decrement(void) {
#ifdef UNLOCKED_DECREMENT
  SET(free_slots, GET(free_slots) - 1);
  return GET(free_slots);
#else
  return atomic_fetch_sub_explicit(&free_slots, 1, memory_order_acquire) - 1;
#endif
}

static void lock(int me) {
  (void)me;
  while (decrement() < 0)
    while (GET(free_slots) <= 0)
      ;
}

static void unlock(int me) {
  (void)me;
  atomic_store_explicit(&free_slots, 1, UNLOCK);
}
