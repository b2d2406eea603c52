// A message and its flag: the flag may arrive first if stores may overtake each other.
#include "rounds.h"
#include <stdatomic.h>

#ifdef FENCE
#define FLAG_ORDER memory_order_release
#else
#define FLAG_ORDER memory_order_relaxed
#endif

static atomic_int message, flag;

static void reset(void) {
  atomic_store_explicit(&message, 0, memory_order_relaxed);
  atomic_store_explicit(&flag, 0, memory_order_relaxed);
}

static void first(void) {
  atomic_store_explicit(&message, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, FLAG_ORDER);
}

static void second(void) {
  r1 = 0;
  for (int tries = 0; r1 == 0 && tries < 100; tries++)
    r1 = atomic_load_explicit(&flag, memory_order_acquire);
  r2 = atomic_load_explicit(&message, memory_order_relaxed);
}

static int is_relaxed(void) { return r1 == 1 && r2 == 0; }
