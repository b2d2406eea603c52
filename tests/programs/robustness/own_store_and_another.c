// Each thread sees its own store first, and the other's not yet: the order of the two stores differs for them.
// The load of the thread's own store is not on the cycle, and orders nothing.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust) at=11
// check: --robustness -DFENCE tso=holds pso=holds
// optimised: differs nobody reads what was seen, so the loads are removed

#include <pthread.h>

static int x, y, seen[4];
static void *first(void *unused) {
  x = 1;
  seen[0] = x;
#ifdef FENCE
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  seen[1] = y;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  seen[2] = y;
#ifdef FENCE
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  seen[3] = x;
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
