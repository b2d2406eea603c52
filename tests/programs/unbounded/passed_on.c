// Two helpers make the cycle together: one notices that the attacker has looked too early, and the other
// learns it from the first, by reading or by overwriting what that stored. No helper is related to the
// attacker at both ends.
// check: --robustness tso=violated(not-robust) states=tso:141
// check: --robustness -DFENCE tso=holds states=tso:6105
// check: --robustness -DOVERWRITES tso=violated(not-robust) states=tso:525
// check: --robustness -DOVERWRITES -DFENCE tso=holds states=tso:29935

#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data, ready;

#define LOAD(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define STORE(place, value) atomic_store_explicit(&(place), (value), memory_order_relaxed)

static void *first(void *unused) {
  while (1) {
    STORE(data, 1);
    STORE(ready, 1);
  }
  return unused;
}

static void *second(void *unused) {
  while (1) {
#ifdef OVERWRITES
    STORE(ready, 2);
    atomic_thread_fence(memory_order_seq_cst);
#else
    (void)LOAD(ready);
#endif
    (void)LOAD(flag);
#ifdef OVERWRITES
    atomic_thread_fence(memory_order_seq_cst);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  while (1) {
    STORE(flag, 1);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    (void)LOAD(data);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
  }
}
