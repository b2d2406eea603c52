// check: sc=holds tso=holds pso=holds states=sc:16,tso:16,pso:16
//
// Two threads that never end, but have finitely many states: all of them are good.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *play(void *argument) {
  int me = argument != NULL;
  for (;;) {
    while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
      ;
    int seen = atomic_load_explicit(&turn, memory_order_relaxed);
    assert(seen == me);
    atomic_store_explicit(&turn, 1 - me, memory_order_seq_cst);
  }
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, play, NULL);
  pthread_create(&threads[1], NULL, play, &turn);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
