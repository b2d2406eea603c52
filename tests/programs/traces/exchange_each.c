// check: sc=holds tso=holds pso=holds states=sc:115,tso:83,pso:83
// check: -DREACHED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:115,tso:83,pso:83
// executions: sc=9 tso=9 pso=9
//
// Each thread exchanges the variable that the other one stores to. The numbers are those of the textbook machine's different reads-from and store orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b, c;

#define SET(variable, value) atomic_store_explicit(&variable, value, memory_order_relaxed)
#define GET(variable) atomic_load_explicit(&variable, memory_order_relaxed)

static void *first(void *unused) {
  SET(x, 1);
  a = atomic_exchange(&x, 2);
  SET(y, 3);
  return unused;
}

static void *second(void *unused) {
  b = GET(x);
  c = atomic_exchange(&y, 4);
  SET(x, 5);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#ifdef REACHED
  assert(!(a == 1 && b == 0 && c == 0 && x == 5 && y == 3));
#endif
  return 0;
}
