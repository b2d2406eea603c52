// The attacker has to read what a helper writes while its own store is already delayed: first 0 from `first`,
// then 1 from `second`, which the helper writes later. A search that lets the attacker run alone finds
// nothing.
// check: --robustness tso=violated(not-robust) states=tso:606
// check: --robustness -DFENCE tso=holds states=tso:411

#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, first, second, third;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), (value), memory_order_relaxed)

static void *between(void *unused) {
  STORE(first, 1);
  STORE(second, 1);
  return unused;
}

static void *last(void *unused) {
  STORE(third, 1);
  atomic_thread_fence(memory_order_seq_cst);
  (void)LOAD(flag);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, between, NULL);
  pthread_create(&threads[1], NULL, last, NULL);
  while (1) {
    STORE(flag, 1);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (LOAD(first) == 0 && LOAD(second) == 1)
      (void)LOAD(third);
    else
      atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst);
  }
}
