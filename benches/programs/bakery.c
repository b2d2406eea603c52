// Lamport's bakery, with fences: N threads enter a critical section ROUNDS times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int choosing[N], number[N];
static atomic_int inside;

static int load(atomic_int *at) {
  return atomic_load_explicit(at, memory_order_relaxed);
}

static void store(atomic_int *at, int value) {
  atomic_store_explicit(at, value, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
}

static void *run(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int round = 0; round < ROUNDS; round++) {
    store(&choosing[me], 1);
    int most = 0;
    for (int other = 0; other < N; other++) {
      int theirs = load(&number[other]);
      most = theirs > most ? theirs : most;
    }
    store(&number[me], most + 1);
    store(&choosing[me], 0);
    for (int other = 0; other < N; other++) {
      while (load(&choosing[other]))
        ;
      for (;;) {
        int theirs = load(&number[other]), mine = most + 1;
        if (theirs == 0 || theirs > mine || (theirs == mine && other >= me))
          break;
      }
    }
    store(&inside, load(&inside) + 1);
    assert(load(&inside) == 1);
    store(&inside, 0);
    store(&number[me], 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
