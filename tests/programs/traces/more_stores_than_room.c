// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A thread stores more often than the first search of a stateless engine has room for in a buffer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x[2];

static void *stores(void *unused) {
  for (int i = 1; i <= 40; i++)
    atomic_store_explicit(&x[i % 2], i, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, stores, NULL);
  int later = atomic_load_explicit(&x[1], memory_order_relaxed);
  int earlier = atomic_load_explicit(&x[0], memory_order_relaxed);
  assert(later != 39 || earlier != 38);
  pthread_join(thread, NULL);
}
