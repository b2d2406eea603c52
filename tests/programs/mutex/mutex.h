// What the mutual-exclusion programs share: fences by variant, the critical section and main.
//
// A program defines lock and unlock. The variants:
//   (none)        as published, for sequentially consistent memory;
//   -DFENCE_TSO   store_load() is a full fence: what TSO needs;
//   -DFENCE_PSO   in addition store_store() is a store-store barrier: what PSO needs.
//
// The critical section is a plain, unprotected increment. It contains no fence and no atomic read-modify-write, which
// would repair the program under test; and it reads before it writes, so that a thread never sees only its own
// buffered store. Two threads inside at the same time can both read the same value, and main misses an increment.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

// Between a store and a later load of another variable.
static inline void store_load(void) {
#if defined FENCE_TSO || defined FENCE_PSO
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

// Between a store and a later store to another variable.
static inline void store_store(void) {
#ifdef FENCE_PSO
  atomic_thread_fence(memory_order_release);
#endif
}

static void lock(int me);
static void unlock(int me);

static int counter;

static void *worker(void *argument) {
  int me = *(int *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    lock(me);
    int seen = counter;
    counter = seen + 1;
    unlock(me);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int ids[THREADS];
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    pthread_create(&threads[i], NULL, worker, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(counter == THREADS * ROUNDS);
  return 0;
}
