// check: sc=holds tso=holds pso=violated(assertion) states=sc:16,tso:18,pso:15
// check: -DRELEASE sc=holds tso=holds pso=holds states=sc:16,tso:18,pso:18
//
// Data, then a flag that says the data is there. TSO keeps the order of stores and the program is right; PSO does not,
// and the receiver may see the flag first. A release store keeps them in order.
//
//     rmc-check --relaxed-memory tso examples/message_passing.c              proves it
//     rmc-check --relaxed-memory pso examples/message_passing.c              finds the bug
//     rmc-check --relaxed-memory pso -DRELEASE examples/message_passing.c    proves the repair
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define PUBLISH memory_order_release
#else
#define PUBLISH memory_order_relaxed
#endif

static int data;
static atomic_int ready;

static void *sender(void *unused) {
  data = 42;
  atomic_store_explicit(&ready, 1, PUBLISH);
  return unused;
}

static void *receiver(void *unused) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    ;
  assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sender, NULL);
  pthread_create(&threads[1], NULL, receiver, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
