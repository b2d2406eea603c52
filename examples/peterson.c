// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:91,tso:143,pso:160
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:91,tso:91,pso:91
//
// Peterson's lock (G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3),
// 1981) is right on paper, where memory is sequentially consistent, and wrong on every processor with store buffers:
// both threads read the other's flag while their own is still buffered, and both enter.
//
//     rmc-check --relaxed-memory sc examples/peterson.c             proves it
//     rmc-check --relaxed-memory tso examples/peterson.c            finds two threads inside
//     rmc-check --relaxed-memory pso -DFENCE examples/peterson.c    proves the repair
// optimised: differs LLVM 16 makes turn a local variable, see tests/programs/ordering/optimiser_privatises_a_global.c
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FENCE
#define full_fence() atomic_thread_fence(memory_order_seq_cst)
#define store_store_fence() atomic_thread_fence(memory_order_release)
#else
#define full_fence() ((void)0)
#define store_store_fence() ((void)0)
#endif

static atomic_int wants_in[2], turn;
static int balance;

static void lock(int me) {
  int other = 1 - me;
  atomic_store_explicit(&wants_in[me], 1, memory_order_relaxed);
  store_store_fence();  // PSO: the wish before the courtesy
  atomic_store_explicit(&turn, other, memory_order_relaxed);
  full_fence();  // TSO: both visible before we look at the other
  while (atomic_load_explicit(&wants_in[other], memory_order_relaxed) &&
         atomic_load_explicit(&turn, memory_order_relaxed) == other)
    ;
}

static void unlock(int me) {
  store_store_fence();  // PSO: the work before the goodbye
  atomic_store_explicit(&wants_in[me], 0, memory_order_relaxed);
}

static void *deposit(void *argument) {
  int me = *(int *)argument;
  lock(me);
  int before = balance;
  balance = before + 100;
  unlock(me);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int ids[2] = {0, 1};
  pthread_create(&threads[0], NULL, deposit, &ids[0]);
  pthread_create(&threads[1], NULL, deposit, &ids[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(balance == 200);
  return 0;
}
