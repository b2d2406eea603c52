// check: --races sc=holds tso=holds pso=holds states=sc:20,tso:32,pso:32
// check: --races -DRELAXED_STORE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=49 related=16 states=sc:23,tso:35,pso:35
// check: --races -DOWN_STORE sc=holds tso=holds pso=holds states=sc:31,tso:32,pso:32
// check: --races -DOTHER_STORE_BETWEEN sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=49 related=16 states=sc:37,tso:61,pso:61
// check: --races -DOTHER_LOCATION sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=49 related=16 states=sc:25,tso:26,pso:26
//
// A release store, a relaxed read-modify-write of another thread on top of it, an acquire load of the result: the release sequence leads from the first to
// the last. A relaxed store of another thread in between ends it, one of the same thread continues it (C11 5.1.2.4, paragraph 10).
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_int flag, other;

static void *first(void *unused) {
  value = 1;
#ifdef OTHER_LOCATION
  atomic_store_explicit(&other, 1, memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
#if defined OWN_STORE || defined OTHER_STORE_BETWEEN
  atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
  return unused;
}

static void *second(void *unused) {
#if defined OWN_STORE
#elif defined OTHER_STORE_BETWEEN
  atomic_store_explicit(&flag, 3, memory_order_relaxed);
#elif defined RELAXED_STORE
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  int seen = 0;
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
    seen = value;
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return seen > 1;
}
