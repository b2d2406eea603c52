// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DSAME_ORDER sc=holds tso=holds pso=holds
// check: --engine=symbolic -DSAME_ORDER sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DTRIES sc=holds tso=holds pso=holds
// check: --engine=symbolic -DTRIES sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Two threads take two mutexes in opposite orders. A thread that only tries the second one does not wait.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *one, pthread_mutex_t *other, int tries) {
  pthread_mutex_lock(one);
  if (tries) {
    if (pthread_mutex_trylock(other) == 0)
      pthread_mutex_unlock(other);
  } else {
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
  }
  pthread_mutex_unlock(one);
}

static void *work(void *unused) {
#ifdef SAME_ORDER
  take(&first, &second, 0);
#elif defined TRIES
  take(&second, &first, 1);
#else
  take(&second, &first, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  take(&first, &second, 0);
  pthread_join(thread, 0);
  return 0;
}
