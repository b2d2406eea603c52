// Two threads enter Peterson's lock ROUNDS times, without fences. Where the algorithm waits, a thread looks
// once, and ends if it would have to wait: every combination of what the threads can see is a reads-from
// class.
//
// G. L. Peterson, "Myths about the mutual exclusion problem", Information Processing Letters 12(3), 1981.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

#define SET(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)

static atomic_int wants[2], turn;

static void *enter(void *argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  for (int round = 0; round < ROUNDS; round++) {
    SET(wants[me], 1);
    SET(turn, other);
    if (GET(wants[other]) && GET(turn) == other)
      return 0;
    SET(wants[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (intptr_t i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, enter, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
}
