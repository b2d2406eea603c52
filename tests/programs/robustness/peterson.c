// Peterson's lock around a counter, where a thread that does not get the lock gives up. Both threads look at the other's
// flag after they raised theirs and gave way: these stores must not be delayed until after that.
// Under pso the counter, too, must be in memory before the flag says that the lock is free.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFENCE tso=holds pso=violated(not-robust)
// check: --robustness -DFENCE -DRELEASE tso=holds pso=holds
// check: --robustness -DFENCE -DRELEASE --no-local-memory tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef RELEASE
#define LEAVE memory_order_release
#else
#define LEAVE memory_order_relaxed
#endif

static atomic_int wants[2], turn;
static int counter;

static int try_lock(int self) {
  atomic_store_explicit(&wants[self], 1, memory_order_release);
  atomic_store_explicit(&turn, 1 - self, memory_order_release);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  return !atomic_load_explicit(&wants[1 - self], memory_order_relaxed) ||
         atomic_load_explicit(&turn, memory_order_relaxed) == self;
}

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  if (try_lock(self))
    counter++;
  atomic_store_explicit(&wants[self], 0, LEAVE);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work((void *)0);
  pthread_join(thread, NULL);
  return 0;
}
