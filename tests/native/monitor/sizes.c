// Each thread stores a byte and loads both: it may read the other's byte before its own reaches memory.
#include "../rounds.h"
#include <stdatomic.h>
#include <stdint.h>

static union {
  volatile uint8_t bytes[2];
  volatile uint16_t both;
} flags;

static void reset(void) { flags.both = 0; }

static void raise(int own, int *seen) {
  flags.bytes[own] = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  *seen = flags.both;
}

static void first(void) { raise(0, &r1); }

static void second(void) { raise(1, &r2); }

static int is_relaxed(void) { return r1 == 1 && r2 == 256; }
