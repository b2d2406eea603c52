// check: --reduce=all sc=holds tso=holds pso=holds
// check: --reduce=all -DLOST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=34
// check: -DLOST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=34
// check: --reduce=all -DMUTEX sc=holds tso=holds pso=holds
// check: --reduce=all -DWAITS_FOREVER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
//
// Threads that nobody can name any more count; with LOST main expects that no update was lost. Which thread has which number makes no difference to any of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
atomic_int count, done;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
  (void)unused;
#ifdef MUTEX
  pthread_mutex_lock(&mutex);
#endif
  int seen = count;
  count = seen + 1;
#ifdef MUTEX
  pthread_mutex_unlock(&mutex);
#endif
  done++;
  return 0;
}

int main(void) {
  pthread_t last;
  for (int i = 0; i < THREADS; i++) pthread_create(&last, 0, work, 0);
#ifdef LOST
  assert(done < THREADS || count == THREADS);
#elif defined WAITS_FOREVER
  while (done <= THREADS);
#else
  while (done < THREADS);
#ifdef MUTEX
  assert(count == THREADS);
#endif
#endif
}
