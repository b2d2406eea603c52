// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DNO_BARRIER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DNO_BARRIER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DFIRST_IS_SERIAL sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DFIRST_IS_SERIAL sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DBOTH_SERIAL sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DBOTH_SERIAL sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DOF_ONE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DOF_ONE sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// What threads do before a barrier is done behind it, in each round. One thread of a round is the serial one,
// which may be any. A round of one thread is over at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static volatile int done[2];
static atomic_int serial;

static void *work(void *argument) {
  int own = *(int *)argument;
  for (int round = 1; round <= 2; round++) {
    done[own] = round;
#ifndef NO_BARRIER
    int result = pthread_barrier_wait(&barrier);
#if defined FIRST_IS_SERIAL
    assert(own == 0 || result == 0);
#elif defined BOTH_SERIAL
    assert(result == PTHREAD_BARRIER_SERIAL_THREAD);
#elif !defined OF_ONE
    assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
      serial++;
#else
    assert(result == PTHREAD_BARRIER_SERIAL_THREAD);
#endif
#endif
#ifndef OF_ONE
    assert(done[!own] >= round);
#endif
  }
  return 0;
}

int main(void) {
  static int numbers[2] = {0, 1};
  pthread_t threads[2];
#ifdef OF_ONE
  pthread_barrier_init(&barrier, 0, 1);
#else
  pthread_barrier_init(&barrier, 0, 2);
#endif
  pthread_create(&threads[0], 0, work, &numbers[0]);
  pthread_create(&threads[1], 0, work, &numbers[1]);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#if !defined OF_ONE && !defined NO_BARRIER
  assert(serial == 2);
#endif
  return 0;
}
