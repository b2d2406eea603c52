// check: sc=holds tso=violated(deadlock) pso=violated(deadlock) at=63 states=sc:147,tso:122,pso:122
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:147,tso:136,pso:136
// check: -DRELAXED_UNLOCK -DFENCE sc=holds tso=holds pso=violated(assertion) at=64 states=sc:147,tso:136,pso:143
//
// A futex lock that counts its waiters in a second word, so that unlocking is a store and a look at the count: H. Franke, R. Russell and M.
// Kirkwood, "Fuss, futexes and furwocks: fast userlevel locking in Linux", Ottawa Linux Symposium 2002, gives the system call. A waiter counts itself,
// and the kernel then compares the lock's word. If the store that unlocks is still in its buffer, the kernel finds the lock taken and lets the thread
// sleep, while the unlocking thread has read a count of zero. A full fence between that store and that load repairs it. An atomic
// exchange instead of the store would be the same.
#include "../mutex/mutex.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static atomic_int taken, waiters;

static void lock(int me) {
  (void)me;
  while (atomic_exchange(&taken, 1)) {
    atomic_fetch_add(&waiters, 1);
    syscall(SYS_futex, &taken, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    atomic_fetch_sub(&waiters, 1);
  }
}

static void unlock(int me) {
  (void)me;
  atomic_store_explicit(&taken, 0, UNLOCK);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&waiters, memory_order_relaxed) > 0)
    syscall(SYS_futex, &taken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
