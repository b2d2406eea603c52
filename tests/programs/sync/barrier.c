// check: sc=holds tso=holds pso=holds states=sc:123,tso:106,pso:106
// check: -DTOO_FEW sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:17,tso:13,pso:13
// check: -DNO_BARRIER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:20,tso:8,pso:8
// check: --races sc=holds tso=holds pso=holds states=sc:153,tso:127,pso:127
//
// Two rounds of a barrier: what was written before a round is seen after it, and one thread of each round is told apart. The one that is destroys it and frees its memory.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static int written[2], seen[2], serial;

static void meet(void) {
#ifndef NO_BARRIER
  int result = pthread_barrier_wait(barrier);
  assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
  if (result == PTHREAD_BARRIER_SERIAL_THREAD)
    __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST);
#endif
}

static void *work(void *argument) {
  int me = argument != NULL;
  written[me] = 1;
  meet();
  seen[me] = written[!me];
#ifndef NO_BARRIER
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
    pthread_barrier_destroy(barrier);
    free(barrier);
  }
#endif
  assert(seen[0] == 1 && seen[1] == 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  barrier = malloc(sizeof *barrier);
  assert(pthread_barrier_init(barrier, NULL, 0) == EINVAL);
#ifdef TOO_FEW
  assert(pthread_barrier_init(barrier, NULL, 3) == 0);
#else
  assert(pthread_barrier_init(barrier, NULL, 2) == 0);
#endif
  pthread_create(&thread, NULL, work, &thread);
  work(NULL);
  pthread_join(thread, NULL);
  assert(serial == 1);
  return 0;
}
