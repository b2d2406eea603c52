// N threads in a ring: each stores to its own cell and reads its neighbour's, ROUNDS times. Wide: nothing orders the threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int cell[N];

static void *run(void *argument) {
  intptr_t me = (intptr_t)argument;
  intptr_t sum = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    atomic_store_explicit(&cell[me], round, memory_order_relaxed);
    sum += atomic_load_explicit(&cell[(me + 1) % N], memory_order_relaxed);
  }
  return (void *)sum;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
