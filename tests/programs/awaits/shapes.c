// check: -DEITHER sc=holds tso=holds pso=holds states=sc:93,tso:59,pso:64
// check: -DEITHER -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:25,tso:19,pso:19
// check: -DBOTH sc=holds tso=holds pso=holds states=sc:81,tso:47,pso:48
// check: -DBOTH -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:12,tso:12,pso:12
// check: -DUNTIL_MINE sc=holds tso=holds pso=holds states=sc:62,tso:34,pso:34
// check: -DUNTIL_MINE -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:24,tso:18,pso:18
// check: -DYIELDS sc=holds tso=holds pso=holds states=sc:44,tso:24,pso:24
// check: -DYIELDS -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:15,tso:7,pso:7
// check: -DCOMPARES sc=holds tso=holds pso=holds states=sc:44,tso:24,pso:60
// check: -DCOMPARES -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:15,tso:7,pso:18
// check: -DEXCHANGES sc=holds tso=holds pso=holds states=sc:76,tso:56,pso:56
// check: -DEXCHANGES -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:15,tso:7,pso:7
// check: -DTRIES sc=holds tso=holds pso=holds states=sc:46,tso:26,pso:26
// check: -DTRIES -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:15,tso:7,pso:7
// check: -DFENCES sc=holds tso=holds pso=holds states=sc:94,tso:530,pso:400
// check: -DFENCES -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:21,tso:27,pso:27
// check: -DSCANS sc=holds tso=holds pso=holds states=sc:150,tso:104,pso:137
// check: -DSCANS -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:39,tso:34,pso:34
// check: -DCHOOSES sc=holds tso=holds pso=holds states=sc:112,tso:98,pso:109
// check: -DCHOOSES -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:39,tso:49,pso:49
//
// Loops that only wait, of all shapes. Two threads wait for what main does last; if it never does it (-DNEVER), they wait for ever.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

static atomic_int first = 1, second = 1, taken = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// A wrapper that takes the expected value by address.
static int exchanged(atomic_int *where, int *expected, int wanted) {
  return atomic_compare_exchange_strong(where, expected, wanted);
}

static void wait_for_main(void) {
#if defined EITHER
  while (GET(first) || GET(second))
    ;
#elif defined BOTH
  while (GET(first) && GET(second))
    ;
#elif defined UNTIL_MINE
  int seen;
  do {
    seen = GET(first);
    __asm__ volatile("pause");
  } while (seen != 0);
#elif defined YIELDS
  while (GET(taken)) {
    sched_yield();
    usleep(10);
  }
#elif defined COMPARES
  for (int expected = 0; !exchanged(&taken, &expected, 0); expected = 0)
    sched_yield();
#elif defined EXCHANGES
  while (atomic_exchange(&taken, 1))
    while (GET(taken))
      sched_yield();
  atomic_store(&taken, 0);
#elif defined TRIES
  while (pthread_mutex_trylock(&mutex) != 0)
    sched_yield();
  pthread_mutex_unlock(&mutex);
#elif defined FENCES
  SET(second, 2);
  while (GET(first)) {
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
  }
#elif defined SCANS
  int waits;
  do {
    waits = 0;
    for (int i = 0; i < 2; i++)
      waits += GET(*(i == 0 ? &first : &second));
  } while (waits > 0);
#elif defined CHOOSES
  while (rmc_choose(2) ? GET(first) : GET(second))
    ;
#endif
}

static void *waiter(void *unused) {
  wait_for_main();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, waiter, NULL);
#ifndef BOTH
  SET(first, 0);
  SET(first, 1);
#endif
#ifndef NEVER
  SET(second, 0);
  SET(first, 0);
  SET(taken, 0);
  pthread_mutex_unlock(&mutex);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
