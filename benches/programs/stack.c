// N threads push ITEMS nodes from the heap to a Treiber stack; main counts them. Dynamic memory and compare-exchange.
// After R. K. Treiber, "Systems Programming: Coping with Parallelism", IBM RJ 5118, 1986.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif
#ifndef ITEMS
#define ITEMS 2
#endif

struct node {
  struct node *next;
};

static struct node *_Atomic top;

static void *run(void *unused) {
  for (int i = 0; i < ITEMS; i++) {
    struct node *node = malloc(sizeof *node);
    struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
    do
      node->next = seen;
    while (!atomic_compare_exchange_weak(&top, &seen, node));
  }
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  int count = 0;
  for (struct node *node = atomic_load(&top); node; node = node->next)
    count++;
  assert(count == N * ITEMS);
  return 0;
}
