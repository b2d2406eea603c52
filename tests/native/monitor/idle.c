// A consumer says that it is idle before it looks for work; a producer makes work before it looks for idle
// consumers, so that it takes the lock only if there is one.
#include "../rounds.h"
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wakeup = PTHREAD_COND_INITIALIZER;
static volatile int is_idle, has_work;

static void fence(void) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

static void reset(void) { is_idle = 0, has_work = 0; }

static void first(void) {
  pthread_mutex_lock(&lock);
  is_idle = 1;
  fence();
  r1 = has_work;
  is_idle = 0;
  pthread_mutex_unlock(&lock);
}

static void second(void) {
  has_work = 1;
  fence();
  r2 = is_idle;
  if (r2) {
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&wakeup);
    pthread_mutex_unlock(&lock);
  }
}

static int is_relaxed(void) { return 0; }
