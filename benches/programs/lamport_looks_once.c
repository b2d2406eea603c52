// Two threads enter Lamport's fast lock ROUNDS times, without fences, and begin anew at most TRIES times for
// each. Where the algorithm waits, a thread looks once, and ends if it would have to wait.
//
// L. Lamport, "A fast mutual exclusion algorithm", ACM Transactions on Computer Systems 5(1), 1987, figure 2.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef TRIES
#define TRIES ROUNDS
#endif

#define SET(variable, value) atomic_store_explicit(&(variable), value, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)

static atomic_int x, y, busy[2];

enum entry { ENTERED, AGAIN, WAITS };

static enum entry attempt(int me) {
  int name = me + 1;
  SET(busy[me], 1);
  SET(x, name);
  if (GET(y) != 0) {
    SET(busy[me], 0);
    return GET(y) == 0 ? AGAIN : WAITS;
  }
  SET(y, name);
  if (GET(x) == name)
    return ENTERED;
  SET(busy[me], 0);
  if (GET(busy[1 - me]))
    return WAITS;
  if (GET(y) == name)
    return ENTERED;
  return GET(y) == 0 ? AGAIN : WAITS;
}

static bool lock(int me) {
  for (int i = 0; i < TRIES; i++) {
    enum entry entry = attempt(me);
    if (entry != AGAIN)
      return entry == ENTERED;
  }
  return false;
}

static void *enter(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int round = 0; round < ROUNDS && lock(me); round++) {
    SET(y, 0);
    SET(busy[me], 0);
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
