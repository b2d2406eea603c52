// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DSEEN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DSEEN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A copy is followed in one of its orders of pieces. Assertions that come before it in the text are no less
// doubtful than those after it.
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
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  seen_by_first = *(volatile long *)&y.second;
  return unused;
}

static void *second(void *unused) {
  struct pair ones = {1, 1};
  y = ones;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  seen_by_second = *(volatile long *)&x.second;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
#ifdef SEEN
  assert(*(volatile long *)&x.second == 0);
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen_by_first || seen_by_second);
  return 0;
}
