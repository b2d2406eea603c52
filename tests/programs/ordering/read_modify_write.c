// check: sc=holds tso=holds pso=holds states=sc:39,tso:39,pso:39
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:39,tso:39,pso:39
//
// Read-modify-writes lose nothing, whatever their order; a compare-exchange loop neither.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum, product = 1;
static atomic_uint bits;

static void *work(void *argument) {
  int me = argument != NULL;
  atomic_fetch_add_explicit(&sum, me + 1, memory_order_relaxed);
  atomic_fetch_or_explicit(&bits, 1u << me, memory_order_relaxed);
  int old = atomic_load_explicit(&product, memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&product, &old, old * (me + 2)))
    ;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, work, NULL);
  pthread_create(&threads[1], NULL, work, &sum);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(sum == 3 && bits == 3 && product == 6);
  return 0;
}
