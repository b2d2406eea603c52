// check: sc=holds tso=holds pso=holds states=sc:602,tso:649,pso:649
// check: -DNO_FENCE sc=holds tso=violated(use-after-free) pso=violated(use-after-free) at=66 states=sc:602,tso:233,pso:233
// check: -DNO_RECHECK sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=66 states=sc:165,tso:147,pso:147
// check: -DNO_SCAN sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=66 states=sc:213,tso:174,pso:174
//
// M. M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects", IEEE Transactions on Parallel and Distributed Systems 15(6), 2004: who
// wants to read a node that others may free says so first, and looks again whether the node is still in the structure; who frees a node
// has taken it out and then looks for such claims. One of the two sees the other, provided that the claim is in memory before
// the second look: a full fence (-DNO_FENCE: use after free under TSO). The other side's compare-exchange is its fence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 2

struct node {
  struct node *next;
  int value;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) hazards[THREADS];
static struct node *postponed[THREADS];  // could not be freed yet

static void push(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &node->next, node))
    ;
}

// The top of the stack, which nobody frees until the hazard is withdrawn; null if the stack is empty.
static struct node *protected_top(int me) {
  for (;;) {
    struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
    atomic_store_explicit(&hazards[me], seen, memory_order_release);
#ifndef NO_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
#ifndef NO_RECHECK
    if (atomic_load_explicit(&top, memory_order_acquire) != seen)
      continue;
#endif
    return seen;
  }
}

static void retire(int me, struct node *node) {
#ifndef NO_SCAN
  if (atomic_load_explicit(&hazards[1 - me], memory_order_acquire) == node) {
    postponed[me] = node;
    return;
  }
#endif
  free(node);
}

static int pop(int me) {
  struct node *node;
  do {
    node = protected_top(me);
    if (node == NULL)
      return 0;
  } while (!atomic_compare_exchange_strong(&top, &node, node->next));
  atomic_store_explicit(&hazards[me], NULL, memory_order_release);
  int value = node->value;
  retire(me, node);
  return value;
}

static int popped[THREADS];

static void *popper(void *argument) {
  int me = argument != NULL;
  popped[me] = pop(me);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  push(1);
  push(2);
  pthread_create(&threads[0], NULL, popper, NULL);
  pthread_create(&threads[1], NULL, popper, &top);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    free(postponed[i]);
  assert(popped[0] + popped[1] == 3 && top == NULL);
  return 0;
}
