// check: sc=holds tso=holds pso=holds
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --engine=symbolic -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// One thread chooses the function that another one calls.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int calls;

static int add(int x) {
  calls++;
  return x + 1;
}

static int twice(int x) {
  return 2 * x;
}

static int (*_Atomic operation)(int) = twice;

static void *choose(void *unused) {
  atomic_store_explicit(&operation, add, memory_order_relaxed);
  return unused;
}

static void *call(void *unused) {
  int result = atomic_load_explicit(&operation, memory_order_relaxed)(3);
#ifdef WRONG
  assert(result == 6);
#else
  assert(result == 6 || (result == 4 && calls == 1));
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, choose, 0);
  pthread_create(&threads[1], 0, call, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
