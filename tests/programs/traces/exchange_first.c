// check: sc=holds tso=holds pso=holds states=sc:66,tso:50,pso:56
// check: -DREACHED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:66,tso:50,pso:56
// executions: sc=5 tso=5 pso=6
//
// An exchange that comes before the stores of the other thread: an exploration that starts with them has to put its atomic access, and not only what it waits for, before
// their updates. The numbers are those of the textbook machine's different reads-from and store orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b;

#define SET(variable, value) atomic_store_explicit(&variable, value, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&variable, memory_order_relaxed)

static void *stores(void *unused) {
  SET(x, 1);
  SET(y, 2);
  SET(x, 3);
  return unused;
}

static void *exchanges(void *unused) {
  a = atomic_exchange(&x, 4);
  b = GET(y);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, stores, NULL);
  pthread_create(&threads[1], NULL, exchanges, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#ifdef REACHED
  assert(!(a == 0 && b == 0 && x == 3));
#endif
  return 0;
}
