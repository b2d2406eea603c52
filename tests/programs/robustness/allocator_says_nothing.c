// One thread allocates, the other one frees a block of its. Which address the allocation returns is arbitrary, so that it came before the free orders nothing.
// check: --robustness sc=holds tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;
static char *block;
static int seen;

static void *other(void *unused) {
  free(block);
  seen = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  block = malloc(1);
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  char *mine = malloc(1);
  pthread_join(thread, NULL);
  free(mine);
  return 0;
}
