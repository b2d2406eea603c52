// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:31,tso:31,pso:31
// check: -DONCE sc=holds tso=holds pso=holds states=sc:10,tso:10,pso:10
//
// The thread waits in a loop of two loads. It completes a round after it read the first store to x, and waits for
// ever only if the other thread's store to x comes last: that nobody reads. With ONCE the last store lets it go on.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *wait_for_change(void *argument) {
  while (atomic_load(&x) == 2 && atomic_load(&y) != 2)
    ;
  return argument;
}

#ifndef ONCE
static void *store(void *argument) {
  atomic_store(&x, 2);
  return argument;
}
#endif

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, wait_for_change, NULL);
#ifndef ONCE
  pthread_create(&threads[1], NULL, store, NULL);
#endif
  atomic_store(&x, 2);
  atomic_store(&x, 1);
  pthread_join(threads[0], NULL);
#ifndef ONCE
  pthread_join(threads[1], NULL);
#endif
  return 0;
}
