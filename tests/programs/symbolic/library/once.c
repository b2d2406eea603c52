// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DUNPROTECTED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DUNPROTECTED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DAGAIN sc=violated(relock) tso=violated(relock) pso=violated(relock)
// check: --engine=symbolic -DAGAIN sc=violated(relock) tso=violated(relock) pso=violated(relock)
//
// The routine runs once, and whoever comes later finds it done.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static volatile int runs;

static void nothing(void) {
}

static void routine(void) {
  runs++;
#ifdef AGAIN
  pthread_once(&control, nothing);
#endif
}

static void *work(void *unused) {
#ifdef UNPROTECTED
  if (runs == 0)
    routine();
  pthread_once(&control, nothing);
#else
  pthread_once(&control, routine);
#endif
  assert(runs == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, work, 0);
  pthread_create(&threads[1], 0, work, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  assert(runs == 1);
  return 0;
}
