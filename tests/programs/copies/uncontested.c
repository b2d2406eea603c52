// check: sc=holds tso=holds states=sc:44,tso:47
// check: --engine=dpor sc=holds tso=holds
// check: -DRELEASE sc=holds tso=holds pso=holds states=sc:44,tso:47,pso:47
// check: --engine=dpor -DRELEASE sc=holds tso=holds pso=holds
//
// Messages of 64 bytes through a ring of two slots. Nobody writes a slot while it is read, so the order in which its parts are copied
// makes no states and no executions.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE
#define ORDER memory_order_release
#else
#define ORDER memory_order_relaxed
#endif

enum { SLOTS = 2, MESSAGES = 3 };

struct message {
  long words[8];
};

static struct message ring[SLOTS];
static atomic_int head, tail;

static void *producer(void *unused) {
  for (int i = 0; i < MESSAGES; i++) {
    while (i - atomic_load_explicit(&tail, memory_order_acquire) == SLOTS)
      ;
    struct message message = {{i, i, i, i, i, i, i, i}};
    ring[i % SLOTS] = message;
    atomic_store_explicit(&head, i + 1, ORDER);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, producer, NULL);
  for (int i = 0; i < MESSAGES; i++) {
    while (atomic_load_explicit(&head, memory_order_acquire) == i)
      ;
    struct message message = ring[i % SLOTS];
    assert(message.words[0] == i && message.words[7] == i);
    atomic_store_explicit(&tail, i + 1, ORDER);
  }
  pthread_join(thread, NULL);
  return 0;
}
