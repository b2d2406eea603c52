// check: sc=holds tso=holds pso=holds states=sc:144,tso:154,pso:154
// check: -DNO_READER_FENCE sc=holds tso=violated(use-after-free) pso=violated(use-after-free) at=61 states=sc:144,tso:99,pso:99
// check: -DNO_WRITER_FENCE sc=holds tso=violated(use-after-free) pso=violated(use-after-free) at=61 states=sc:144,tso:71,pso:71
// check: -DNO_GRACE_PERIOD sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=61 states=sc:79,tso:83,pso:83
// check: -DRELAXED_PUBLISH sc=holds tso=holds pso=violated(uninitialised-branch) at=61 states=sc:144,tso:154,pso:74
//
// Read-copy-update: P. E. McKenney and J. D. Slingwine, "Read-copy update: using execution history to solve concurrency problems", PDCS 1998; with the
// fences of user-space RCU in M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais and J. Walpole, "User-level implementations of
// read-copy update", IEEE TPDS 23(2), 2012. Readers announce themselves; a writer publishes a copy, waits until every reader that may hold the old one
// has left (the grace period), then frees it. Reader: store the announcement, fence, load the pointer. Writer: store the pointer, fence, load
// the announcement. Without either fence the reader can hold the old copy while the writer sees no reader. A reader that is seen absent
// once may come back: it finds the new copy. The copy is filled before it is published; PSO needs a release for that (-DRELAXED_PUBLISH).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED_PUBLISH
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct route {
  int from, to;  // never the same
};

static _Atomic(struct route *) current;
static atomic_int reading;

static struct route *new_route(int from, int to) {
  struct route *route = malloc(sizeof *route);
  route->from = from;
  route->to = to;
  return route;
}

static void read_lock(void) {
  atomic_store_explicit(&reading, 1, memory_order_relaxed);
#ifndef NO_READER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void read_unlock(void) { atomic_store_explicit(&reading, 0, memory_order_release); }

static void wait_for_readers(void) {
#ifndef NO_WRITER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
#ifndef NO_GRACE_PERIOD
  while (atomic_load_explicit(&reading, memory_order_acquire))
    ;
#endif
}

static void *reader(void *unused) {
  for (int i = 0; i < 2; i++) {
    read_lock();
    struct route *route = atomic_load_explicit(&current, memory_order_acquire);
    if (route->from == route->to)
      abort();
    read_unlock();
  }
  return unused;
}

static void *writer(void *unused) {
  struct route *old = atomic_load_explicit(&current, memory_order_relaxed);
  atomic_store_explicit(&current, new_route(old->to, old->from), PUBLISH);
  wait_for_readers();
  free(old);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  current = new_route(1, 2);
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(current->from == 2);
  free(current);
  return 0;
}
