// check: sc=holds tso=holds pso=violated(use-after-free) states=sc:25,tso:30,pso:19
//
// A store that is late when `realloc` takes the memory it is to: it may come before, and is copied, or after, and is to memory that is gone. It does not come
// between the two, lost without a trace.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *_Atomic slot;
static int copied;

static void *maker(void *unused) {
  int *made = calloc(1, sizeof *made);
  *made = 2;
  __atomic_store_n((int **)&slot, made, __ATOMIC_RELAXED);
  return unused;
}

static void *taker(void *unused) {
  int *taken = __atomic_exchange_n((int **)&slot, NULL, __ATOMIC_SEQ_CST);
  if (taken != NULL) {
    taken = realloc(taken, 2 * sizeof *taken);
    copied = taken[0];
    assert(copied == 2);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, maker, NULL);
  pthread_create(&second, NULL, taker, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
