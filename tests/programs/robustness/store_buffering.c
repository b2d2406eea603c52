// Each thread's load can overtake its store. Both threads need a fence: with one, the other thread's load still can.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust) at=18
// check: --robustness -DFIRST tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DSECOND tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DFIRST -DSECOND tso=holds pso=holds
// check: --robustness --engine=dpor-source tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness --engine=explicit tso=refused(dpor)
// check: --robustness --races tso=refused(explicit)

#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen[2];

static void *first(void *unused) {
  // Nobody asks what was seen, so no assertion can fail.
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef FIRST
  atomic_thread_fence(memory_order_seq_cst);
#endif
  seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef SECOND
  atomic_thread_fence(memory_order_seq_cst);
#endif
  seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
