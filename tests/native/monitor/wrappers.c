// The flags of store_buffering.c, accessed through functions that are inlined.
#include "../rounds.h"
#include <stdatomic.h>

static atomic_int x, y;

static inline __attribute__((always_inline)) void set(atomic_int *flag, int value) {
  atomic_store_explicit(flag, value, memory_order_relaxed);
}

static inline __attribute__((always_inline)) int get(atomic_int *flag) {
  return atomic_load_explicit(flag, memory_order_relaxed);
}

static void reset(void) {
  set(&x, 0);
  set(&y, 0);
}

static void first(void) {
  set(&x, 1);
  r1 = get(&y);
}

static void second(void) {
  set(&y, 1);
  r2 = get(&x);
}

static int is_relaxed(void) { return r1 == 0 && r2 == 0; }
