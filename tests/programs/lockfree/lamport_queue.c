// check: sc=holds tso=holds pso=holds states=sc:74,tso:62,pso:62
// check: -DRELAXED sc=holds tso=holds pso=violated(assertion) at=44 states=sc:74,tso:62,pso:14
// check: -DINDEX_FIRST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=44 states=sc:18,tso:14,pso:14
//
// A queue between one producer and one consumer without any atomic read-modify-write: L. Lamport, "Proving the correctness of multiprocess
// programs", IEEE Transactions on Software Engineering 3(2), 1977, section on the producer and consumer.
// Each index has one writer. The consumer reads a slot only after it has seen the index that covers it; the producer overwrites one only after it has
// seen the consumer's index move past it. The first is kept by TSO's order of stores, the second by that of a load before a later
// store, which all three models keep. PSO needs the producer's index to be a release store (-DRELAXED).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#define CAPACITY 2
#define ITEMS 4

static int slots[CAPACITY];
static atomic_uint produced, consumed;

static void *producer(void *unused) {
  for (unsigned item = 0; item < ITEMS; item++) {
    while (item - atomic_load_explicit(&consumed, memory_order_acquire) == CAPACITY)
      ;
#ifdef INDEX_FIRST
    atomic_store_explicit(&produced, item + 1, PUBLISH);
#endif
    slots[item % CAPACITY] = (int)item + 100;
#ifndef INDEX_FIRST
    atomic_store_explicit(&produced, item + 1, PUBLISH);
#endif
  }
  return unused;
}

static void *consumer(void *unused) {
  for (unsigned item = 0; item < ITEMS; item++) {
    while (atomic_load_explicit(&produced, memory_order_acquire) == item)
      ;
    assert(slots[item % CAPACITY] == (int)item + 100);
    atomic_store_explicit(&consumed, item + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, producer, NULL);
  pthread_create(&threads[1], NULL, consumer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
