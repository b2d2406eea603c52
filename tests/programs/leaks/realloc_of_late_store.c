// check: --leaks --keep-going --cross-check sc=violated(use-after-free) at=14
// check: --leaks --keep-going --cross-check tso=violated(use-after-free) pso=violated(use-after-free) at=24 related=14,21
//
// Memory is reallocated while a store of another thread to it is still buffered: that goes wrong before there is new memory, which nothing would lead to.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *_Atomic shared;

static void *writer(void *unused) {
  char *known = atomic_load_explicit(&shared, memory_order_relaxed);
  if (known != NULL)
    known[4] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  atomic_store(&shared, calloc(8, 1));
  char *mine = atomic_exchange(&shared, NULL);
  if (mine != NULL)
    mine = realloc(mine, 12);
  pthread_join(thread, NULL);
  free(mine);
  return 0;
}
