// Whether there is a fence depends on an input. If not all inputs are tried, that nothing was found means nothing.
// check: --robustness --svcomp --nondet-range=0..1 sc=unknown(data-range) tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness --svcomp --nondet-range=1..2 tso=unknown(data-range) pso=unknown(data-range)
// check: --robustness -DCHOICES=2 tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DCHOICES=1 tso=holds pso=holds

#include <pthread.h>
#include <rmc.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int x, y;
static int seen[2], fenced;

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (fenced)
    atomic_thread_fence(memory_order_seq_cst);
  seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_exchange(&y, 1);
  seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
#ifdef CHOICES
  fenced = !rmc_choose(CHOICES);
#else
  fenced = __VERIFIER_nondet_int();
#endif
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
