// The store to `cell->full` may be dropped from the buffer when its memory ends. It still is a store: the other thread did not see it, though it comes first.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust) at=20
// check: --robustness -DFENCE tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
  atomic_int full;
};
static struct cell *cell;
static atomic_int done, y;
static int seen[2];

static void *owner(void *unused) {
  while (!atomic_load_explicit(&done, memory_order_relaxed) && seen[0] < 1)
    seen[0]++;
  // Whether the other thread is done with the cell or not.
  atomic_store_explicit(&cell->full, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  seen[1] = atomic_load_explicit(&y, memory_order_relaxed);
  while (!atomic_load_explicit(&done, memory_order_acquire))
    ;
  free(cell);
  return unused;
}

int main(void) {
  cell = calloc(1, sizeof *cell);
  pthread_t thread;
  pthread_create(&thread, NULL, owner, NULL);
  // With its fence.
  atomic_exchange(&y, 1);
  int full = atomic_load_explicit(&cell->full, memory_order_relaxed);
  atomic_store_explicit(&done, 1, memory_order_release);
  pthread_join(thread, NULL);
  return full > 1;
}
