// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=62 states=sc:51,tso:65,pso:65
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:51,tso:58,pso:58
//
// Two ways to lock an array, after the semaphores of System V in Linux (ipc/sem.c, sem_lock, repaired more than once): an operation on one
// element takes only that element's lock, provided that nobody works on the whole; an operation on the whole announces itself and
// then waits until no element is locked. The first side locks by an atomic operation, a full fence, before it looks for
// the announcement. The second looks whether the lock is free, which is only a load: its announcement can still be in the store
// buffer. It needs a fence of its own (-DFENCE).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int element_locked, whole_wanted;
static int counter;

static void increment(void) {
  int seen = counter;
  counter = seen + 1;
}

static void lock_element(void) {
  for (;;) {
    while (atomic_exchange_explicit(&element_locked, 1, memory_order_acquire))
      ;
    if (!atomic_load_explicit(&whole_wanted, memory_order_acquire))
      return;
    atomic_store_explicit(&element_locked, 0, memory_order_release);
    while (atomic_load_explicit(&whole_wanted, memory_order_relaxed))
      ;
  }
}

static void lock_whole(void) {
  atomic_store_explicit(&whole_wanted, 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (atomic_load_explicit(&element_locked, memory_order_acquire))
    ;
}

static void *on_element(void *unused) {
  lock_element();
  increment();
  atomic_store_explicit(&element_locked, 0, memory_order_release);
  return unused;
}

static void *on_whole(void *unused) {
  lock_whole();
  increment();
  atomic_store_explicit(&whole_wanted, 0, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, on_element, NULL);
  pthread_create(&threads[1], NULL, on_whole, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(counter == 2);
  return 0;
}
