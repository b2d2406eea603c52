// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DREMEMBERED sc=holds tso=holds pso=holds
// check: --engine=symbolic -DREMEMBERED sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DTIMED sc=holds tso=holds pso=holds
// check: --engine=symbolic -DTIMED sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// A signal that comes before the wait is lost, unless a flag remembers it. A thread whose time comes does not
// wait for ever.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
#if defined REMEMBERED
  while (!is_ready)
    pthread_cond_wait(&changed, &mutex);
#elif defined TIMED
  struct timespec time = {1, 0};
  pthread_cond_timedwait(&changed, &mutex, &time);
#else
  pthread_cond_wait(&changed, &mutex);
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
