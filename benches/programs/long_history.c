// Threads that store to a variable of their own and read it, TURNS times each. Two of them then race for a
// variable, ROUNDS times, so the number of classes does not depend on TURNS or THREADS.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TURNS
#define TURNS 10
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int own[THREADS];
static atomic_int contested;

static void *worker(void *argument) {
  long id = (long)argument;
  for (int turn = 1; turn <= TURNS; turn++) {
    atomic_store_explicit(&own[id], turn, memory_order_relaxed);
    assert(atomic_load_explicit(&own[id], memory_order_relaxed) == turn);
  }
  for (int round = 0; id < 2 && round < ROUNDS; round++) {
    atomic_store_explicit(&contested, (int)id + 1, memory_order_relaxed);
    atomic_load_explicit(&contested, memory_order_relaxed);
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long id = 0; id < THREADS; id++)
    pthread_create(&threads[id], 0, worker, (void *)id);
  for (long id = 0; id < THREADS; id++) {
    pthread_join(threads[id], 0);
    assert(atomic_load_explicit(&own[id], memory_order_relaxed) == TURNS);
  }
}
