// check: sc=violated(deadlock) states=sc:9
// check: -DEXCHANGE sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:9,tso:9,pso:9
// check: -DNO_FENCE sc=violated(deadlock) states=sc:9
// check: -DSTOPPED sc=holds states=sc:21
// check: --engine=explicit tso=violated(deadlock) pso=violated(deadlock) states=tso:9,pso:9
// check: --engine=explicit -DNO_FENCE tso=violated(deadlock) pso=violated(deadlock) states=tso:7,pso:7
// check: --engine=explicit -DSTOPPED tso=holds pso=holds states=tso:23,pso:23
//
// A round of a waiting loop that stores what memory has is a round that waits, whether the store is buffered
// or not: the loop goes on for ever, and the other thread waits for its mutex. The stateless engine follows
// rounds whose stores are buffered for ever.
#include <pthread.h>
#include <stdatomic.h>

static volatile int alive;
static volatile atomic_int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
  int seen = alive;
  (void)seen;
#ifdef STOPPED
  stop = 1;
#endif
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, other, NULL);
  while (!stop) {
#ifdef EXCHANGE
    __atomic_exchange_n(&alive, 1, __ATOMIC_SEQ_CST);
#else
    alive = 1;
#endif
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
  }
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}
