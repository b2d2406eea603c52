// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DWRITES_WITH_READ_LOCK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DWRITES_WITH_READ_LOCK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DTRIES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DTRIES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DNOT_HELD sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: --engine=symbolic -DNOT_HELD sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: -DTWICE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DTWICE sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Writers exclude each other and readers. Read locks do not exclude each other, and a thread may have two.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int first, second;

static void *write_both(void *unused) {
#ifdef WRITES_WITH_READ_LOCK
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  first++;
  second++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *read_both(void *unused) {
#ifdef TRIES
  int error = pthread_rwlock_tryrdlock(&lock);
  assert(error == 0);
#else
  pthread_rwlock_rdlock(&lock);
#endif
#ifdef TWICE
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#endif
  assert(first == second);
  pthread_rwlock_unlock(&lock);
#ifdef NOT_HELD
  pthread_rwlock_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, write_both, 0);
  pthread_create(&threads[1], 0, read_both, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
