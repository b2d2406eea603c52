// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=40 states=sc:648,tso:658,pso:658
// check: -DFENCES=1 sc=holds tso=violated(assertion) pso=violated(assertion) at=40 states=sc:648,tso:527,pso:527
// check: -DFENCES=2 sc=holds tso=violated(assertion) pso=violated(assertion) at=40 states=sc:648,tso:484,pso:484
// check: -DFENCES=3 sc=holds tso=holds pso=holds states=sc:648,tso:582,pso:582
//
// A sequence of handshakes after the first half of Dekker's algorithm (E. W. Dijkstra, "Cooperating sequential processes", EWD 123, 1965): in each
// round both threads raise a flag and count a win if the other's is down. At most one wins a round, so there are at most as many wins as
// rounds. The first FENCES rounds have a full fence between the store and the load. A round without it can be won by both, whatever fences the
// rounds before and after it have: they are not between its store and its load.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 3
#ifndef FENCES
#define FENCES 0
#endif

static atomic_int flags[ROUNDS][2];
static int wins[2][ROUNDS];

static void *player(void *argument) {
  int me = argument != NULL;
  for (int round = 0; round < ROUNDS; round++) {
    atomic_store_explicit(&flags[round][me], 1, memory_order_relaxed);
    if (round < FENCES)
      atomic_thread_fence(memory_order_seq_cst);
    wins[me][round] = !atomic_load_explicit(&flags[round][1 - me], memory_order_relaxed);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, player, NULL);
  pthread_create(&threads[1], NULL, player, &flags);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  for (int round = 0; round < ROUNDS; round++)
    assert(wins[0][round] + wins[1][round] <= 1);
  return 0;
}
