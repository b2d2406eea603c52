// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:58,tso:48,pso:48
// check: --engine=dpor sc=holds tso=violated(assertion) pso=violated(assertion)
//
// Under sc a copy is in memory when it ends: the stores of a copy may pass each other, but a load behind the copy does not pass them.
#include <assert.h>
#include <pthread.h>

struct pair {
  long first, second;
};

static struct pair x, y;
static long seen_by_first, seen_by_second;

static void *first(void *unused) {
  struct pair ones = {1, 1};
  x = ones;
  seen_by_first = *(volatile long *)&y.second;
  return unused;
}

static void *second(void *unused) {
  struct pair ones = {1, 1};
  y = ones;
  seen_by_second = *(volatile long *)&x.second;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen_by_first || seen_by_second);
  return 0;
}
