// check: sc=holds tso=holds pso=holds states=sc:24,tso:28,pso:28
// check: -DRELAXED sc=holds tso=holds pso=violated(assertion) at=39 related=none states=sc:24,tso:28,pso:19
// check: -DRELAXED -DMALLOC sc=holds tso=holds pso=violated(uninitialised-branch) at=39 related=26 states=sc:24,tso:28,pso:19
//
// A block is allocated by one thread, handed to another and freed there. With a relaxed hand-over, PSO lets the
// receiver see the block before its contents.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

struct message {
  int value;
};

static _Atomic(struct message *) slot;

static void *sender(void *unused) {
#ifdef MALLOC
  struct message *message = malloc(sizeof *message);
#else
  struct message *message = calloc(1, sizeof *message);
#endif
  message->value = 42;
  atomic_store_explicit(&slot, message, ORDER);
  return unused;
}

static void *receiver(void *unused) {
  struct message *message;
  while (!(message = atomic_load_explicit(&slot, memory_order_acquire)))
    ;
  assert(message->value == 42);
  free(message);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sender, NULL);
  pthread_create(&threads[1], NULL, receiver, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
