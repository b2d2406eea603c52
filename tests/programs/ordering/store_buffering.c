// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
// check: -DFENCE=atomic_thread_fence(memory_order_seq_cst) sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
// check: -DFENCE=__sync_synchronize() sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
// check: -DMFENCE sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
// check: -DFENCE=atomic_exchange(&scratch[me],1) sc=holds tso=holds pso=holds states=sc:58,tso:58,pso:58
// check: -DFENCE=failing_exchange(me) sc=holds tso=holds pso=holds states=sc:58,tso:58,pso:58
// check: -DFENCE=lock_and_unlock() sc=holds tso=holds pso=holds states=sc:75,tso:75,pso:75
// check: -DFENCE=atomic_thread_fence(memory_order_acq_rel) sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
// check: -DFENCE=atomic_signal_fence(memory_order_seq_cst) sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
// check: -DSTORE_ORDER=memory_order_seq_cst sc=holds tso=holds pso=holds states=sc:42,tso:42,pso:42
// check: -DSTORE_ORDER=memory_order_release sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
//
// Each thread stores to its own variable and loads the other's: what does and what does not forbid that both loads see
// the old values.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef MFENCE
#define FENCE __asm__ volatile("mfence" ::: "memory")
#endif
#ifndef FENCE
#define FENCE ((void)0)
#endif
#ifndef STORE_ORDER
#define STORE_ORDER memory_order_relaxed
#endif

atomic_int flag[2], scratch[2];
int seen[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void failing_exchange(int me) {
  int expected = 1;
  atomic_compare_exchange_strong(&scratch[me], &expected, 2);
}

void lock_and_unlock(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

static void *announce_and_look(void *argument) {
  int me = argument != NULL;
  atomic_store_explicit(&flag[me], 1, STORE_ORDER);
  FENCE;
  seen[me] = atomic_load_explicit(&flag[1 - me], memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, announce_and_look, NULL);
  pthread_create(&threads[1], NULL, announce_and_look, &flag);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen[0] || seen[1]);
  return 0;
}
