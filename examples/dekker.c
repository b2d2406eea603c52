// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:99,tso:97,pso:114
// check: -DFENCE sc=holds tso=holds pso=violated(assertion) states=sc:99,tso:88,pso:114
// check: -DFENCE -DRELEASE sc=holds tso=holds pso=holds states=sc:99,tso:88,pso:88
//
// Dekker's lock (E. W. Dijkstra, "Cooperating sequential processes", EWD 123, 1965) in three stages: as published; with
// the full fences that TSO needs; with the release store that PSO needs as well, or else the lock is seen free before
// the work done under it.
//
//     rmc-check --relaxed-memory tso -DFENCE examples/dekker.c              proves it
//     rmc-check --relaxed-memory pso -DFENCE examples/dekker.c              finds the lost deposit
//     rmc-check --relaxed-memory pso -DFENCE -DRELEASE examples/dekker.c    proves the repair
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef FENCE
#define full_fence() atomic_thread_fence(memory_order_seq_cst)
#else
#define full_fence() ((void)0)
#endif
#ifdef RELEASE
#define ON_UNLOCK memory_order_release
#else
#define ON_UNLOCK memory_order_relaxed
#endif

static atomic_bool wants_in[2];
static atomic_int turn;
static int balance;

static void announce(int me) {
  atomic_store_explicit(&wants_in[me], true, memory_order_relaxed);
  full_fence();
}

static void lock(int me) {
  int other = 1 - me;
  announce(me);
  while (atomic_load_explicit(&wants_in[other], memory_order_relaxed)) {
    if (atomic_load_explicit(&turn, memory_order_relaxed) == me)
      continue;
    atomic_store_explicit(&wants_in[me], false, memory_order_relaxed);
    while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
      ;
    announce(me);
  }
}

static void unlock(int me) {
  atomic_store_explicit(&turn, 1 - me, memory_order_relaxed);
  atomic_store_explicit(&wants_in[me], false, ON_UNLOCK);
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
