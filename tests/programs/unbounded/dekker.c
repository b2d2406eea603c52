// Dekker's lock, taken for ever by two threads. With a fence where flags are raised the lock is right; that a
// flag is lowered late can be noticed without a fence there, too.
// check: --robustness tso=violated(not-robust) states=tso:61
// check: --robustness -DFENCE tso=violated(not-robust) states=tso:437
// check: --robustness -DFENCE -DALL tso=holds states=tso:688

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn;
static int inside;

static void raise_flag(int self) {
  atomic_store_explicit(&wants[self], 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  while (1) {
    raise_flag(self);
    while (atomic_load_explicit(&wants[1 - self], memory_order_relaxed)) {
      if (atomic_load_explicit(&turn, memory_order_relaxed) != self) {
        atomic_store_explicit(&wants[self], 0, memory_order_relaxed);
#ifdef ALL
        atomic_thread_fence(memory_order_seq_cst);
#endif
        while (atomic_load_explicit(&turn, memory_order_relaxed) != self)
          ;
        raise_flag(self);
      }
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store_explicit(&turn, 1 - self, memory_order_relaxed);
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
