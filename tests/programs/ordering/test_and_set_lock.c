// check: sc=holds tso=holds pso=holds states=sc:36,tso:35,pso:35
// check: -DUNLOCK_ORDER=memory_order_relaxed sc=holds tso=holds pso=violated(assertion) states=sc:36,tso:35,pso:45
//
// A spin lock by atomic exchange; under PSO a relaxed unlock can be seen before the critical section's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef UNLOCK_ORDER
#define UNLOCK_ORDER memory_order_release
#endif

static atomic_int locked;
static int counter;

static void *count(void *unused) {
  while (atomic_exchange_explicit(&locked, 1, memory_order_acquire))
    ;
  int seen = counter;
  counter = seen + 1;
  atomic_store_explicit(&locked, 0, UNLOCK_ORDER);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(counter == 2);
  return 0;
}
