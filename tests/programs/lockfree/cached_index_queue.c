// check: sc=holds tso=holds pso=holds
// check: --weak-release tso=holds pso=violated(assertion)
//
// A queue for one producer and one consumer, each with a copy of the other's index in memory, which it looks up anew only where the queue seems full or empty. The loops that wait store the
// copy in every round.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2
#define ITEMS 3

static struct {
  _Alignas(64) atomic_uint write;
  unsigned read_seen;
  _Alignas(64) atomic_uint read;
  unsigned write_seen;
  _Alignas(64) int slots[SLOTS];
} queue;

static void *produce(void *unused) {
  for (int item = 1; item <= ITEMS; item++) {
    unsigned at = atomic_load_explicit(&queue.write, memory_order_relaxed);
    unsigned next = (at + 1) % SLOTS;
    while (next == queue.read_seen)
      queue.read_seen = atomic_load_explicit(&queue.read, memory_order_acquire);
    queue.slots[at] = item;
    atomic_store_explicit(&queue.write, next, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int item = 1; item <= ITEMS; item++) {
    unsigned at = atomic_load_explicit(&queue.read, memory_order_relaxed);
    while (at == queue.write_seen)
      queue.write_seen = atomic_load_explicit(&queue.write, memory_order_acquire);
    assert(queue.slots[at] == item);
    atomic_store_explicit(&queue.read, (at + 1) % SLOTS, memory_order_release);
  }
  pthread_join(producer, NULL);
  return 0;
}
