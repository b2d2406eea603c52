// The flags of store_buffering.c, with a comment that says that this is known.
#include "../rounds.h"
#include <stdatomic.h>

static atomic_int x, y;

static void reset(void) {
  atomic_store_explicit(&x, 0, memory_order_relaxed);
  atomic_store_explicit(&y, 0, memory_order_relaxed);
}

static void first(void) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed); // rmc: ignore
}

static void second(void) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  // rmc: ignore
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
}

static int is_relaxed(void) { return 0; }
