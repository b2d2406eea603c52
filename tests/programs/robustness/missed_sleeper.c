// A producer looks whether the consumer sleeps before it wakes it. The store of `work` can be delayed until after that: then the consumer sleeps for ever.
// After Burckhardt and Musuvathi, "Effective Program Verification for Relaxed Memory Models", CAV 2008, figure 4.
// The deadlock is an execution that is not sequentially consistent. The monitor finds that before any deadlock.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(deadlock)
// check: --robustness --no-monitor tso=violated(deadlock)
// check: --robustness -DFENCE tso=holds pso=holds

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int sleeps, work;

static void full_fence(void) {
#ifdef FENCE
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static void *consumer(void *unused) {
  pthread_mutex_lock(&mutex);
  sleeps = 1;
  full_fence();
  if (!work)
    pthread_cond_wait(&condition, &mutex);
  sleeps = 0;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, consumer, NULL);
  work = 1;
  full_fence();
  if (sleeps) {
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }
  pthread_join(thread, NULL);
  return 0;
}
