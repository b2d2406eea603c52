// check: --races sc=holds tso=holds pso=holds states=sc:11,tso:17,pso:17
// check: -DFIRST=pthread_rwlock_wrlock --races sc=holds tso=holds pso=holds states=sc:11,tso:17,pso:17
// check: -DSECOND=pthread_rwlock_wrlock --races sc=holds tso=holds pso=holds states=sc:11,tso:17,pso:17
// check: -DOTHER --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:11,tso:14,pso:14
// check: -DANEW --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race)
//
// A release of a reader-writer lock happens-before the next acquisition, for POSIX also where both are by
// readers. That of another lock does not, nor does that of one that was at the same place before (ANEW).
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIRST
#define FIRST pthread_rwlock_rdlock
#endif
#ifndef SECOND
#define SECOND pthread_rwlock_rdlock
#endif
#ifdef OTHER
#define SECOND_LOCK other
#else
#define SECOND_LOCK lock
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#ifdef OTHER
static pthread_rwlock_t other = PTHREAD_RWLOCK_INITIALIZER;
#endif
static atomic_int done;
int data;

static void *first(void *unused) {
  data = 1;
  FIRST(&lock);
  pthread_rwlock_unlock(&lock);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

static void second(void) {
  if (!atomic_load_explicit(&done, memory_order_relaxed))
    return;
#ifdef ANEW
  pthread_rwlock_destroy(&lock);
  pthread_rwlock_init(&lock, NULL);
#endif
  SECOND(&SECOND_LOCK);
  pthread_rwlock_unlock(&SECOND_LOCK);
  data = 2;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  second();
  pthread_join(thread, NULL);
}
