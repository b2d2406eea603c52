// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:14,pso:14
// check: -DUP sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:14,pso:14
// check: -DLOCKED sc=holds tso=holds pso=holds states=sc:23,tso:23,pso:23
// check: -DLOCKED -DUP sc=holds tso=holds pso=holds states=sc:23,tso:23,pso:23
// check: -DREADS sc=holds tso=holds pso=holds states=sc:12,tso:12,pso:12
// check: -DREADS -DUP sc=holds tso=holds pso=holds states=sc:12,tso:12,pso:12
// check: -DWRITES sc=unknown tso=unknown pso=unknown
// check: -DWRITES -DUP sc=unknown tso=unknown pso=unknown
// check: -DWRITES --engine=reads-from sc=unknown tso=unknown pso=unknown
// check: -DWRITES -DUP --engine=reads-from sc=unknown tso=unknown pso=unknown
//
// memmove to a place that overlaps: its stores go in any order, so that a reader may meet any part of them.
// Under a lock nobody does; who waits for the end sees all. A writer of the source may come between any of
// the loads and stores, and not all of these executions are explored: `holds` is not claimed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#ifdef UP
#define TO 1
#define FROM 0
#else
#define TO 0
#define FROM 1
#endif

static long a[4] = {1, 2, 3, 4};
static atomic_int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
#if defined(LOCKED)
  pthread_mutex_lock(&lock);
  assert(a[1] - a[0] <= 1 && a[1 + TO] == 2 + FROM - TO + TO || a[1] == 2);
  pthread_mutex_unlock(&lock);
#elif defined(READS)
  if (done)
    assert(a[TO] == 1 + FROM && a[TO + 1] == 2 + FROM && a[TO + 2] == 3 + FROM);
#elif defined(WRITES)
  a[2] = 7;
#else
  // The last store may reach memory first, and the first one, too.
  long last = atomic_load((_Atomic(long) *)&a[TO + 2]), first = atomic_load((_Atomic(long) *)&a[TO]);
  assert(!(last == 3 + FROM && first == 1 + TO));
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
  memmove(&a[TO], &a[FROM], 3 * sizeof(long));
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  done = 1;
  pthread_join(thread, NULL);
#ifndef WRITES
  assert(a[TO] == 1 + FROM && a[TO + 1] == 2 + FROM && a[TO + 2] == 3 + FROM);
#endif
}
