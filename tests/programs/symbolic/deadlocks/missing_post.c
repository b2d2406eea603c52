// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DPOSTS sc=holds tso=holds pso=holds
// check: --engine=symbolic -DPOSTS sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DALONE sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic -DALONE sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DTRIES sc=holds tso=holds pso=holds
// check: --engine=symbolic -DTRIES sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Two threads wait at a semaphore that is posted once; or one waits before there are others.
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;

static void *waiter(void *unused) {
#ifdef TRIES
  sem_trywait(&semaphore);
#else
  sem_wait(&semaphore);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&semaphore, 0, 0);
#ifdef ALONE
  sem_wait(&semaphore);
#endif
  pthread_create(&threads[0], 0, waiter, 0);
  pthread_create(&threads[1], 0, waiter, 0);
  sem_post(&semaphore);
#ifdef POSTS
  sem_post(&semaphore);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
