// Each thread stores to its own variable and reads the other's: both may read 0 if stores are delayed.
#include "rounds.h"
#include <stdatomic.h>

static atomic_int x, y;

static void reset(void) {
  atomic_store_explicit(&x, 0, memory_order_relaxed);
  atomic_store_explicit(&y, 0, memory_order_relaxed);
}

static void first(void) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
}

static void second(void) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
}

static int is_relaxed(void) { return r1 == 0 && r2 == 0; }
