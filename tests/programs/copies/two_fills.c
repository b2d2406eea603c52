// check: sc=holds tso=holds pso=holds
//
// Two threads fill bytes that overlap, and another one changes one of them. The stores of a fill reach memory
// in any order under every model, so who reads an old byte beside one of them need not come before another
// one is in memory: an engine that takes stores under TSO to be in order misses two of the classes.
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static uint64_t bytes;
static int fence;
volatile uint64_t seen;

static void *fill_and_look(void *unused) {
  memset((char *)&bytes + 3, 1, 5);
  __atomic_fetch_add(&fence, 1, __ATOMIC_SEQ_CST);
  uint16_t two;
  memcpy(&two, (char *)&bytes + 1, sizeof two);
  seen = two;
  return unused;
}

static void *fill(void *unused) {
  memset((char *)&bytes + 1, 3, 7);
  return unused;
}

static void *add(void *unused) {
  __atomic_fetch_add((uint8_t *)&bytes + 5, 2, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  static void *(*const bodies[])(void *) = {fill_and_look, fill, add};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  seen = bytes;
  return 0;
}
