// A queue of Michael and Scott, simplified: nodes come from an array, are linked by compare-and-swap and never reused. N threads put ITEMS each, one thread takes all there are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

struct node {
  _Atomic(struct node *) next;
  int value;
};

static struct node nodes[N * ITEMS + 1];
static _Atomic(struct node *) head = &nodes[N * ITEMS], tail = &nodes[N * ITEMS];

static void put(struct node *node) {
  for (;;) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next != 0) {
      atomic_compare_exchange_strong(&tail, &last, next);
    } else if (atomic_compare_exchange_strong(&last->next, &next, node)) {
      atomic_compare_exchange_strong(&tail, &last, node);
      return;
    }
  }
}

static void *produce(void *argument) {
  intptr_t me = (intptr_t)argument;
  for (int i = 0; i < ITEMS; i++) {
    struct node *node = &nodes[me * ITEMS + i];
    node->value = 1;
    put(node);
  }
  return argument;
}

int main(void) {
  pthread_t threads[N];
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, produce, (void *)i);
  int sum = 0;
  for (int looks = 0; looks < 2; looks++) {
    struct node *first = atomic_load_explicit(&head, memory_order_relaxed);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next != 0) {
      sum += next->value;
      atomic_store_explicit(&head, next, memory_order_relaxed);
    }
  }
  assert(sum <= 2);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
