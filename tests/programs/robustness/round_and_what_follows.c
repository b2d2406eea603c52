// The rounds of a loop that waits for `go` also look at `flag`. In the cycle the last thread saw `flag` in a round that was not the last one: the last round does not look at it any more.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFENCE sc=holds tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>

#define GET(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define SET(place, value) atomic_store_explicit(&(place), (value), memory_order_relaxed)

static atomic_int data, flag, go;

static void *delays(void *unused) {
  SET(data, 1);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  (void)GET(flag);
  return unused;
}

static void *signals(void *unused) {
  atomic_exchange(&flag, 1);
  atomic_exchange(&go, 1);
  return unused;
}

static void *waits(void *unused) {
  while (!GET(go))
    (void)GET(flag);
  (void)GET(data);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, delays, NULL);
  pthread_create(&threads[1], NULL, signals, NULL);
  pthread_create(&threads[2], NULL, waits, NULL);
  for (int thread = 0; thread < 3; thread++)
    pthread_join(threads[thread], NULL);
  return 0;
}
