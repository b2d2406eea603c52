// The owner's store to the cell is still in its buffer when it frees the cell, or reached memory before, where the other thread saw it.
// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:23,tso:16,pso:16
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor-source sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor -DSECOND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct cell {
  atomic_int full, other;
};
static struct cell *cell;
static atomic_int done, before;

static void *owner(void *unused) {
#ifdef SECOND
  // Under tso these reach memory first: the first is dropped too, the second is not.
  atomic_store_explicit(&cell->other, 1, memory_order_relaxed);
  atomic_store_explicit(&before, 1, memory_order_relaxed);
#endif
  atomic_store_explicit(&cell->full, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&done, memory_order_acquire))
    ;
  free(cell);
  return unused;
}

int main(void) {
  cell = calloc(1, sizeof *cell);
  pthread_t thread;
  pthread_create(&thread, NULL, owner, NULL);
  int full = atomic_load_explicit(&cell->full, memory_order_relaxed);
  atomic_store_explicit(&done, 1, memory_order_release);
  pthread_join(thread, NULL);
  assert(full == 0);
  return 0;
}
