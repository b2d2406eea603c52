// check: sc=holds tso=holds pso=holds states=sc:22,tso:22,pso:22
// check: --buffer-bound=4 sc=holds tso=holds pso=holds states=sc:22,tso:22,pso:22
// check: --buffer-bound=0 sc=holds tso=holds pso=holds states=sc:22,tso:22,pso:22
// check: --weak-release tso=holds pso=violated(assertion) states=tso:22,pso:19
// check: --weak-release --buffer-bound=0 pso=violated(assertion) states=pso:16
// check: -DNEVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:9,tso:15,pso:15
// check: -DBROKEN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:13,pso:13
// check: -DRESET tso=holds states=tso:338
// check: -DRESET --engine=explicit --buffer-bound=4 tso=unknown(buffer-bound)
// check: -DRESET --buffer-bound=4 sc=holds tso=holds pso=unknown(buffer-bound) states=sc:29,tso:338
// check: --races --buffer-bound=4 tso=unknown(buffer-bound)
//
// A loop that waits keeps what it saw in memory, as queues do with cached indices: each round stores what the one before stored. These stores are without effect where nobody
// else writes there. If another thread does (-DRESET), each may matter:
// under tso the program is robust, so it holds whatever the buffers' length.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
  int data;
  _Alignas(64) atomic_int flag;
  _Alignas(64) int cache, rounds;
} shared;

static void *give(void *unused) {
  shared.data = 42;
#ifdef RESET
  shared.cache = 0;
#endif
#ifndef NEVER
  atomic_store_explicit(&shared.flag, 1, memory_order_release);
#endif
#ifdef BROKEN
  shared.data = 43;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, give, NULL);
  do {
    shared.cache = atomic_load_explicit(&shared.flag, memory_order_acquire);
    shared.rounds = 1;
  } while (!shared.cache);
  assert(shared.data == 42);
  pthread_join(thread, NULL);
  return 0;
}
