// check: sc=holds tso=holds pso=holds states=sc:14,tso:11,pso:11
// check: -DRELOCK sc=violated(relock) tso=violated(relock) pso=violated(relock) states=sc:11,tso:9,pso:9
// check: -DUNLOCK_FREE sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) states=sc:11,tso:9,pso:9
// check: -DDESTROY_HELD sc=violated(destroy-held) tso=violated(destroy-held) pso=violated(destroy-held) states=sc:11,tso:9,pso:9
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) states=sc:2,tso:2,pso:2
// check: -DFORGOTTEN sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:8,tso:7,pso:7
// check: --races sc=holds tso=holds pso=holds states=sc:14,tso:11,pso:11
//
// Counting under a spinlock, and its misuse. To spin for ever is a deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int counter;

static void *count(void *unused) {
  pthread_spin_lock(&lock);
  counter++;
#ifndef FORGOTTEN
  pthread_spin_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifndef NEVER_INITIALISED
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
#endif
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
  assert(counter == 2);
  assert(pthread_spin_trylock(&lock) == 0);
  assert(pthread_spin_trylock(&lock) == EBUSY);
#ifdef RELOCK
  pthread_spin_lock(&lock);
#endif
#ifdef DESTROY_HELD
  pthread_spin_destroy(&lock);
#endif
  pthread_spin_unlock(&lock);
#ifdef UNLOCK_FREE
  pthread_spin_unlock(&lock);
#endif
  pthread_spin_destroy(&lock);
  return 0;
}
