// The largest of some input values, found by threads that each look at their share of them, without locks.
// INPUTS values of WIDTH bits, THREADS threads. It holds under every model. With POSITIONS each thread also
// says how far it is, through a store that may be delayed, and reads how far the next one is.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <stdatomic.h>

#ifndef INPUTS
#define INPUTS 2
#endif
#ifndef WIDTH
#define WIDTH 8
#endif
#ifndef THREADS
#define THREADS 2
#endif

static unsigned input[INPUTS];
static atomic_uint largest;
#ifdef POSITIONS
static atomic_long position[THREADS];
#endif

static void *look(void *argument) {
  long number = (long)argument;
  for (long at = number; at < INPUTS; at += THREADS) {
#ifdef POSITIONS
    atomic_store_explicit(&position[number], at, memory_order_relaxed);
    assert(atomic_load_explicit(&position[(number + 1) % THREADS], memory_order_relaxed) < INPUTS);
#endif
    unsigned seen = largest;
    while (seen < input[at] && !atomic_compare_exchange_strong(&largest, &seen, input[at]))
      ;
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int at = 0; at < INPUTS; at++)
    input[at] = (unsigned)rmc_int(0, (1L << WIDTH) - 1);
  for (long number = 0; number < THREADS; number++)
    pthread_create(&threads[number], 0, look, (void *)number);
  for (int number = 0; number < THREADS; number++)
    pthread_join(threads[number], 0);
  for (int at = 0; at < INPUTS; at++)
    assert(input[at] <= largest);
  return 0;
}
