// check: sc=holds tso=holds pso=holds states=sc:3,tso:8,pso:8
// check: --buffer-bound=0 tso=holds pso=holds states=tso:8,pso:8
// check: --no-reduce=private sc=holds tso=holds pso=holds states=sc:9,tso:19,pso:19
// check: --engine=dpor sc=holds tso=holds pso=holds
//
// A loop waits and stores what it loads to memory of its own thread in each round. A function gets the
// address of that memory, so that stores to it wait in the buffer as others do.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *starter(void *unused) {
  atomic_store_explicit(&counter, 1, memory_order_release);
  return unused;
}

__attribute__((noinline)) static int load(void) {
  return atomic_load_explicit(&counter, memory_order_acquire);
}

__attribute__((noinline)) static void increment(int *expected) {
  atomic_compare_exchange_strong(&counter, expected, *expected + 1);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, starter, NULL);
  int found = 0;
  while (found == 0) found = load();
  increment(&found);
  pthread_join(thread, NULL);
  return 0;
}
