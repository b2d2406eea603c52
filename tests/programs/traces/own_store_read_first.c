// check: sc=holds tso=holds pso=violated(assertion)
// check: -DSEEN sc=holds tso=holds pso=holds
// check: -DLATE sc=holds tso=holds pso=violated(assertion)
//
// A thread reads what it stored itself, from its buffer: that does not say that the store is in memory.
// Another thread sees its next store, and not yet this one.
//
// With SEEN, a third thread reads the store before, so it is in memory, and nothing older can be read then.
// With LATE, the store comes after what another thread wrote at once, although its step comes before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;

static void *stores(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (atomic_load_explicit(&x, memory_order_relaxed) == 1)
    atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *loads(void *unused) {
#ifdef SEEN
  if (atomic_load_explicit(&z, memory_order_relaxed) == 1)
#else
  if (atomic_load_explicit(&y, memory_order_relaxed) == 1)
#endif
  {
#ifdef LATE
    atomic_exchange(&x, 2);
    int expected = 2;
#else
    int expected = 1;
#endif
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    assert(seen == expected);
  }
  return unused;
}

static void *passes_on(void *unused) {
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&z, seen, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, stores, NULL);
  pthread_create(&threads[1], NULL, loads, NULL);
  pthread_create(&threads[2], NULL, passes_on, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
