// check: --races sc=holds tso=holds pso=holds states=sc:21,tso:18,pso:18
// check: --races -DRELAXED_UNLOCK sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=38 related=38 states=sc:18,tso:14,pso:14
// check: --races -DRELAXED_LOCK sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=38 related=38 states=sc:18,tso:14,pso:14
// check: --races -DPLAIN_UNLOCK sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=31 related=40 states=sc:16,tso:9,pso:9
// check: --races -DASSEMBLY sc=holds tso=holds pso=holds states=sc:21,tso:18,pso:18
//
// A test-and-set lock: with the right orders, with too weak ones, given back by a plain store, taken by an instruction in assembly.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

#ifdef RELAXED_LOCK
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif
#ifdef RELAXED_UNLOCK
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif

static int take(void) {
#ifdef ASSEMBLY
  int one = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(*(int *)&lock) : : "memory");
  return one;
#else
  return atomic_exchange_explicit(&lock, 1, TAKE);
#endif
}

static void *count(void *unused) {
  while (take())
    ;
  counter++;
#ifdef PLAIN_UNLOCK
  *(volatile int *)&lock = 0;
#else
  atomic_store_explicit(&lock, 0, GIVE);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
  return counter - 2;
}
