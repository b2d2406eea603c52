// check: sc=holds tso=holds pso=violated(assertion) states=sc:27,tso:33,pso:35
//
// x=1; r=x; y=2 against y=3; x=4: if the final values are x=1 and y=3, then x=4 came before x=1, hence y=3 before y=2.
// A checker that does not remember the order of stores that were overtaken finds this execution also under TSO.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

static atomic_int x, y;

static void *first(void *unused) {
  SET(x, 1);
  (void)GET(x);
  SET(y, 2);
  return unused;
}

static void *second(void *unused) {
  SET(y, 3);
  SET(x, 4);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(!(GET(x) == 1 && GET(y) == 3));
  return 0;
}
