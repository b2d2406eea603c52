// check: sc=holds tso=holds pso=holds states=sc:246,tso:267,pso:267
// check: -DEXCHANGE sc=holds tso=holds pso=holds states=sc:246,tso:267,pso:267
// check: -DFLAG sc=holds tso=holds pso=holds states=sc:246,tso:267,pso:267
// check: -DTEST sc=holds tso=holds pso=holds states=sc:410,tso:427,pso:427
// executions: sc=6 tso=6 pso=6
// executions: -DN=4 sc=24 tso=24 pso=24
// executions: -DN=2 -DK=3 sc=20 tso=20 pso=20
// executions: -DN=3 -DK=2 sc=90 tso=90 pso=90
// executions: -DEXCHANGE sc=6 tso=6 pso=6
// executions: -DEXCHANGE -DN=2 -DK=3 sc=20 tso=20 pso=20
// executions: -DFLAG sc=6 tso=6 pso=6
// executions: -DFLAG -DN=3 -DK=2 sc=90 tso=90 pso=90
// executions: -DTEST -DN=2 sc=4 tso=4 pso=4
//
// Locks made of loops that wait. N threads that take the lock K times do so in (N * K)! / K!^N orders; attempts that fail
// are no events: not where they are the first thing that a thread does, nor behind a store that was pending, nor where they
// write over what is there. With a look at the lock before each attempt, what was seen then makes executions differ.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif

atomic_int held;
atomic_flag flag = ATOMIC_FLAG_INIT;
int inside;

static void *work(void *unused) {
  for (int i = 0; i < K; i++) {
#ifdef EXCHANGE
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
      ;
#elif defined FLAG
    while (atomic_flag_test_and_set(&flag))
      ;
#elif defined TEST
    do
      while (atomic_load_explicit(&held, memory_order_relaxed))
        ;
    while (atomic_exchange(&held, 1));
#else
    int expected = 0;
    while (!atomic_compare_exchange_weak(&held, &expected, 1))
      expected = 0;
#endif
    assert(inside++ == 0);
    inside--;
#ifdef FLAG
    atomic_flag_clear_explicit(&flag, memory_order_release);
#else
    atomic_store_explicit(&held, 0, memory_order_release);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
