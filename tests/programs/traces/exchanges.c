// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:477,tso:263,pso:316
// check: -DIMPOSSIBLE sc=holds tso=holds pso=holds states=sc:477,tso:263,pso:316
//
// Read-modify-writes among buffered stores: an exchange waits until its thread's older stores have reached memory, and its own store is there at once.
// The outcome in question can be reached in all models; explorations that order an exchange too strictly after its own thread's stores miss it under TSO.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int a, b, c, d;

#define SET(variable, value) atomic_store_explicit(&variable, value, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&variable, memory_order_relaxed)

static void *first(void *unused) {
  SET(y, 1);
  a = atomic_exchange(&y, 2);
  SET(y, 3);
  b = GET(y);
  SET(x, 5);
  atomic_thread_fence(memory_order_seq_cst);
  return unused;
}

static void *second(void *unused) {
  SET(x, 6);
  SET(y, 7);
  c = atomic_exchange(&y, 8);
  SET(z, 9);
  d = GET(x);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#ifdef IMPOSSIBLE
  assert(!(a == 7 && c == 7));
#else
  assert(!(a == 7 && b == 3 && c == 2 && d == 6 && x == 5 && y == 3 && z == 9));
#endif
  return 0;
}
