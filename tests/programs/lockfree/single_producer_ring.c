// check: sc=holds tso=holds pso=holds states=sc:171,tso:91,pso:91
// check: -DRELAXED sc=holds tso=holds pso=violated(assertion) at=51 states=sc:171,tso:91,pso:23
// check: -DEARLY_EMPTY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=51 states=sc:81,tso:33,pso:33
//
// FastForward: J. Giacomoni, T. Moseley and M. Vachharajani, "FastForward for efficient pipeline parallelism", PPoPP 2008. A ring of pointers
// without shared indices: a slot that holds no pointer is empty, so the slot itself says whether it may be read or written.
// The message is written before its pointer. TSO keeps that order; under PSO the pointer needs to be a release store (-DRELAXED), which the paper,
// written for x86, calls a write fence for weaker machines. The messages are reused, so the consumer must have read one before it
// empties the slot (-DEARLY_EMPTY); a load does not move behind a later store in any of the three models.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif
#define CAPACITY 2
#define MESSAGES 4

struct message {
  int number, check;
};

static _Atomic(struct message *) slots[CAPACITY];
static struct message messages[CAPACITY];  // the one at i travels through slot i

static void *producer(void *unused) {
  for (int number = 1; number <= MESSAGES; number++) {
    int at = number % CAPACITY;
    while (atomic_load_explicit(&slots[at], memory_order_acquire) != NULL)
      ;
    messages[at].number = number;
    messages[at].check = -number;
    atomic_store_explicit(&slots[at], &messages[at], PUBLISH);
  }
  return unused;
}

static void *consumer(void *unused) {
  for (int number = 1; number <= MESSAGES; number++) {
    int at = number % CAPACITY;
    struct message *message;
    while ((message = atomic_load_explicit(&slots[at], memory_order_acquire)) == NULL)
      ;
#ifdef EARLY_EMPTY
    atomic_store_explicit(&slots[at], NULL, memory_order_release);
#endif
    assert(message->number == number && message->check == -number);
#ifndef EARLY_EMPTY
    atomic_store_explicit(&slots[at], NULL, memory_order_release);
#endif
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
