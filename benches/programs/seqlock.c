// A sequence lock: a writer bumps a counter around its stores, N readers read until the counter was even and the same before and after. What they read belongs together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif
#ifndef WRITES
#define WRITES 3
#endif

static atomic_uint sequence;
static atomic_int low, high;

static void *write_pairs(void *unused) {
  for (int i = 1; i <= WRITES; i++) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&low, i, memory_order_relaxed);
    atomic_store_explicit(&high, i, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 2, memory_order_release);
  }
  return unused;
}

static void *read_pair(void *unused) {
  unsigned before, after;
  int l, h;
  do {
    before = atomic_load_explicit(&sequence, memory_order_acquire);
    l = atomic_load_explicit(&low, memory_order_relaxed);
    h = atomic_load_explicit(&high, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    after = atomic_load_explicit(&sequence, memory_order_relaxed);
  } while (before != after || before % 2 != 0);
  assert(l == h);
  return unused;
}

int main(void) {
  pthread_t writer, readers[N];
  pthread_create(&writer, 0, write_pairs, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&readers[i], 0, read_pair, 0);
  for (int i = 0; i < N; i++)
    pthread_join(readers[i], 0);
  pthread_join(writer, 0);
  return 0;
}
