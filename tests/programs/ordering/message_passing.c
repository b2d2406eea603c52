// check: sc=holds tso=holds pso=violated(assertion) states=sc:16,tso:18,pso:15
// check: -DSTORE_ORDER=memory_order_release sc=holds tso=holds pso=holds states=sc:16,tso:18,pso:18
// check: -DSTORE_ORDER=memory_order_seq_cst sc=holds tso=holds pso=holds states=sc:16,tso:16,pso:16
// check: -DFENCE=atomic_thread_fence(memory_order_release) sc=holds tso=holds pso=holds states=sc:16,tso:18,pso:18
// check: -DFENCE=atomic_thread_fence(memory_order_seq_cst) sc=holds tso=holds pso=holds states=sc:16,tso:21,pso:21
// check: -DFENCE=atomic_thread_fence(memory_order_acquire) sc=holds tso=holds pso=violated(assertion) states=sc:16,tso:18,pso:15
//
// Data, then a flag. PSO lets the flag overtake the data unless a barrier is between the stores.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FENCE
#define FENCE ((void)0)
#endif
#ifndef STORE_ORDER
#define STORE_ORDER memory_order_relaxed
#endif

static int data;
static atomic_int ready;

static void *sender(void *unused) {
  data = 42;
  FENCE;
  atomic_store_explicit(&ready, 1, STORE_ORDER);
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
