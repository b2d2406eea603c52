// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=30 related=30 states=sc:7,tso:5,pso:5
// check: --races -DLOCK sc=holds tso=holds pso=holds states=sc:14,tso:11,pso:11
// check: --races -DATOMIC sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: --races -DATOMIC -DPLAIN_READ sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=30 related=39 states=sc:4,tso:4,pso:4
// check: --races -DTRYLOCK sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=44 related=25 states=sc:15,tso:12,pso:12
//
// Two threads count: without a lock, with one, with atomic operations that a plain read meets. A failed trylock orders nothing, though it tells that the lock is held.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef ATOMIC
static atomic_int counter;
#else
static int counter;
#endif

static void *count(void *unused) {
#ifdef LOCK
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
#elif defined TRYLOCK
  counter++;
  pthread_mutex_lock(&mutex);
  sched_yield();
  pthread_mutex_unlock(&mutex);
#else
  counter++;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
#ifdef PLAIN_READ
  int seen = *(int *)&counter;
  pthread_join(thread, NULL);
  return seen > 1;
#elif defined TRYLOCK
  if (pthread_mutex_trylock(&mutex) != 0)
    counter++;
  else
    pthread_mutex_unlock(&mutex);
#else
  count(NULL);
#endif
  pthread_join(thread, NULL);
  return counter == 2 ? 0 : 1;
}
