// A sequence lock whose writer never stops. Counter and data are stored in order, and the writer reads
// nothing that others write, so the reader sees what it sees without buffers. A second writer that only looks
// whether it is its turn needs a fence.
// check: --robustness tso=holds states=tso:5786
// check: --engine=attacks --no-local-memory tso=holds states=tso:6618
// check: --robustness -DASKS tso=violated(not-robust) states=tso:43

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint counter;
static atomic_int data[2], readers;

static void *write_for_ever(void *unused) {
  for (unsigned round = 0;; round ^= 1) {
    atomic_store_explicit(&counter, 2 * round + 1, memory_order_relaxed);
#ifdef ASKS
    while (atomic_load_explicit(&readers, memory_order_relaxed))
      ;
#endif
    atomic_store_explicit(&data[0], (int)round, memory_order_release);
    atomic_store_explicit(&data[1], (int)round, memory_order_release);
    atomic_store_explicit(&counter, 2 * (round ^ 1), memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_for_ever, NULL);
  unsigned before, after;
  do {
#ifdef ASKS
    atomic_fetch_add(&readers, 1);
#endif
    before = atomic_load_explicit(&counter, memory_order_acquire);
    (void)atomic_load_explicit(&data[0], memory_order_acquire);
    (void)atomic_load_explicit(&data[1], memory_order_acquire);
    after = atomic_load_explicit(&counter, memory_order_relaxed);
#ifdef ASKS
    atomic_fetch_sub(&readers, 1);
#endif
  } while (before % 2 || before != after);
  return 0;
}
