// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:76,tso:64,pso:64
//
// A thread sees its own store before the others do, and two threads disagree on which store was first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

static atomic_int x, y;
static int own_x, own_y, other_x, other_y;

static void *first(void *unused) {
  SET(x, 1);
  own_x = GET(x);
  other_y = GET(y);
  return unused;
}

static void *second(void *unused) {
  SET(y, 1);
  own_y = GET(y);
  other_x = GET(x);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(own_x == 1 && own_y == 1);
  assert(other_x || other_y);
  return 0;
}
