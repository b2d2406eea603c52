// check: -DFENCE=_mm_mfence sc=holds tso=holds pso=holds
// check: -DFENCE=_mm_sfence sc=holds tso=violated(assertion) pso=violated(assertion)
// check: -DFENCE=_mm_lfence sc=holds tso=violated(assertion) pso=violated(assertion)
// check: -DFENCE=_mm_pause sc=holds tso=violated(assertion) pso=violated(assertion)
// check: -DFENCE=stamp sc=unknown(clock) tso=violated(assertion) pso=violated(assertion)
// check: -DPASSING -DFENCE=_mm_pause sc=holds tso=holds pso=violated(assertion)
// check: -DPASSING -DFENCE=_mm_sfence sc=holds tso=holds pso=holds
//
// The instructions of x86 that headers offer as functions. The counter of cycles stands still, which leaves
// out what happens when it does not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_int x, y;
static int seen[2];

__attribute__((unused)) static void stamp(void) {
  unsigned processor;
  unsigned long long before = __rdtsc();
  _mm_clflush(&x);
  assert(__rdtscp(&processor) - before == 0);
}

static void put(atomic_int *place) {
  atomic_store_explicit(place, 1, memory_order_relaxed);
}

static int look(atomic_int *place) {
  return atomic_load_explicit(place, memory_order_relaxed);
}

static void *other(void *argument) {
#ifdef PASSING
  put(&x);
  FENCE();
  put(&y);
#else
  put(&y);
  FENCE();
  seen[1] = look(&x);
#endif
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
#ifdef PASSING
  seen[0] = look(&y);
  seen[1] = look(&x);
  assert(!seen[0] || seen[1]);
#else
  put(&x);
  FENCE();
  seen[0] = look(&y);
  pthread_join(thread, 0);
  assert(seen[0] || seen[1]);
#endif
  return 0;
}
