// check: sc=holds tso=holds pso=holds states=sc:626,tso:626,pso:626
// check: -DPLAIN_LINK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=95 states=sc:1285,tso:1285,pso:1285
// check: -DFREE sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=35 states=sc:301,tso:301,pso:301
// check: -DLATE_VALUE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=95 states=sc:825,tso:753,pso:753
//
// M. M. Michael and M. L. Scott, "Simple, fast, and practical non-blocking and blocking concurrent queue algorithms", PODC 1996, figure 1. A list
// with a dummy in front; the tail may lag one node behind, and whoever notices swings it.
// Nodes are linked by compare-exchange, a full fence after the node is filled, so TSO and PSO add nothing. Linked by a store, one of two
// concurrent nodes is lost (-DPLAIN_LINK); filled only after it is linked, a node can be read empty (-DLATE_VALUE). Nothing is freed
// while the threads run; a dummy that is freed at once may be in use elsewhere (-DFREE: the paper keeps a free list and counted
// pointers instead, hazard_pointers.c shows the other way out).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  _Atomic(struct node *) next;
  atomic_int value;
};

static _Atomic(struct node *) head, tail;

static struct node *new_node(int value) {
  struct node *node = calloc(1, sizeof *node);
  atomic_store_explicit(&node->value, value, memory_order_relaxed);
  return node;
}

static int link(struct node *last, struct node *node) {
#ifdef PLAIN_LINK
  return atomic_load(&last->next) == NULL && (atomic_store(&last->next, node), 1);
#else
  struct node *nothing = NULL;
  return atomic_compare_exchange_strong(&last->next, &nothing, node);
#endif
}

static void enqueue(int value) {
#ifdef LATE_VALUE
  struct node *node = new_node(0);
#else
  struct node *node = new_node(value);
#endif
  struct node *last = atomic_load(&tail);
  while (!link(last, node)) {
    struct node *after = atomic_load(&last->next);
    atomic_compare_exchange_strong(&tail, &last, after);
    last = atomic_load(&tail);
  }
#ifdef LATE_VALUE
  atomic_store_explicit(&node->value, value, memory_order_relaxed);
#endif
  atomic_compare_exchange_strong(&tail, &last, node);
}

// The oldest value; 0 if there is none.
static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load(&head), *last = atomic_load(&tail), *after = atomic_load(&first->next);
    if (first != atomic_load(&head))
      continue;
    if (after == NULL)
      return 0;
    if (first == last) {
      atomic_compare_exchange_strong(&tail, &last, after);
      continue;
    }
    int value = atomic_load_explicit(&after->value, memory_order_relaxed);
    if (atomic_compare_exchange_strong(&head, &first, after)) {
#ifdef FREE
      free(first);
#endif
      return value;
    }
  }
}

static int received[2];

static void *client(void *argument) {
  int me = argument != NULL;
  enqueue(me + 1);
  received[me] = dequeue();
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  head = tail = new_node(0);
  pthread_create(&threads[0], NULL, client, NULL);
  pthread_create(&threads[1], NULL, client, &head);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(received[0] + received[1] == 3 && received[0] != 0 && received[1] != 0);
  return 0;
}
