// A spinlock as in Linux on x86, for ever: taken by a read-modify-write, released by a plain store. That
// store may be delayed, and nobody can tell. With a look at whether somebody waits after the release,
// somebody can.
// check: --robustness tso=holds states=tso:48
// check: --robustness -DTHREE tso=holds states=tso:152
// check: --robustness -DWAITERS tso=violated(not-robust) states=tso:92

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked, waiters;
static int inside;

static void *work(void *unused) {
  while (1) {
#ifdef WAITERS
    atomic_fetch_or(&waiters, 1);
#endif
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
      while (atomic_load_explicit(&locked, memory_order_relaxed))
        ;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store_explicit(&locked, 0, memory_order_release);
#ifdef WAITERS
    if (atomic_load_explicit(&waiters, memory_order_relaxed))
      atomic_fetch_and(&waiters, 0);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
#ifdef THREE
  pthread_create(&thread, NULL, work, NULL);
#endif
  work(NULL);
  return 0;
}
