// Burns' lock, taken for ever by two threads. The loop in which the second thread tries stores in every turn.
// With fences where flags are raised the lock is right, but flags that are lowered late can still be noticed.
// check: --robustness tso=violated(not-robust) states=tso:59
// check: --robustness -DFENCE tso=violated(not-robust) states=tso:54
// check: --robustness -DFENCE -DALL tso=holds states=tso:229

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static int inside;

static void set(int self, int to) {
  atomic_store_explicit(&wants[self], to, memory_order_relaxed);
#ifdef FENCE
#ifndef ALL
  if (to)
#endif
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void enter(void) {
  inside++;
  assert(inside == 1);
  inside--;
}

static void *first(void *unused) {
  while (1) {
    set(0, 1);
    while (atomic_load_explicit(&wants[1], memory_order_relaxed))
      ;
    enter();
    set(0, 0);
  }
  return unused;
}

static void *second(void *unused) {
  while (1) {
    do {
      set(1, 0);
      while (atomic_load_explicit(&wants[0], memory_order_relaxed))
        ;
      set(1, 1);
    } while (atomic_load_explicit(&wants[0], memory_order_relaxed));
    enter();
    set(1, 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  second(NULL);
  return 0;
}
