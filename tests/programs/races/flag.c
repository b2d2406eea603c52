// check: sc=holds tso=holds pso=holds states=sc:7,tso:11,pso:12
// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=31 related=45 states=sc:6,tso:5,pso:5
// check: --races -DRELAXED sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=58 related=50 states=sc:7,tso:9,pso:9
// check: --races -DRELEASE sc=holds tso=holds pso=holds states=sc:7,tso:11,pso:11
// check: --races -DFENCES sc=holds tso=holds pso=holds states=sc:7,tso:11,pso:11
// check: --races -DRELEASE_FENCE_ONLY sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=58 related=50 states=sc:7,tso:9,pso:9
// check: --races -DACQUIRE_FENCE_ONLY sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=58 related=50 states=sc:7,tso:9,pso:9
//
// A value is published with a flag: a plain one, a relaxed one, release and acquire, relaxed ones with fences at both ends or at one.
#include <pthread.h>
#include <stdatomic.h>

static int value;
#if defined RELAXED || defined RELEASE || defined FENCES || defined RELEASE_FENCE_ONLY || defined ACQUIRE_FENCE_ONLY
static atomic_int flag;
#else
static volatile int flag;
#endif

static void publish(void) {
#ifdef RELEASE
  atomic_store_explicit(&flag, 1, memory_order_release);
#elif defined RELAXED
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#elif defined FENCES || defined RELEASE_FENCE_ONLY
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#elif defined ACQUIRE_FENCE_ONLY
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
  flag = 1;
#endif
}

static int is_published(void) {
#ifdef RELEASE
  return atomic_load_explicit(&flag, memory_order_acquire);
#elif defined RELAXED || defined RELEASE_FENCE_ONLY
  return atomic_load_explicit(&flag, memory_order_relaxed);
#elif defined FENCES || defined ACQUIRE_FENCE_ONLY
  int seen = atomic_load_explicit(&flag, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  return seen;
#else
  return flag;
#endif
}

static void *writer(void *unused) {
  value = 42;
  publish();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int copy = is_published() ? value : 0;
  pthread_join(thread, NULL);
  return copy == 42 || copy == 0 ? 0 : 1;
}
