// Peterson's lock, taken for ever by two threads. Nothing empties a buffer unless there is a fence after
// giving way.
// check: --robustness tso=violated(not-robust) states=tso:81
// check: --robustness -DFENCE tso=holds states=tso:300
// check: --engine=attacks -DFENCE tso=holds pso=refused(dpor) states=tso:300
// check: --engine=attacks -DFENCE --no-local-memory tso=holds states=tso:300

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int inside;

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  while (1) {
    atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
    atomic_store_explicit(&turn, 1 - self, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (atomic_load_explicit(&wants[1 - self], memory_order_relaxed) &&
           atomic_load_explicit(&turn, memory_order_relaxed) != self)
      ;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store_explicit(&wants[self], 0, memory_order_relaxed);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work((void *)0);
  return 0;
}
