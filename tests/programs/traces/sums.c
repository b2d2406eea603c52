// check: sc=holds tso=holds pso=holds states=sc:186,tso:105,pso:105
// check: -DWRITERS=1 sc=holds tso=holds pso=holds states=sc:136,tso:95,pso:95
// check: -DPOSTS sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DPOSTS -DWAITS=2 -DN=4 sc=holds tso=holds pso=holds states=sc:22,tso:22,pso:22
// check: -DPOSTS -DWAITS=1 -DVALUE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:25,tso:25,pso:25
// check: -DWRITERS=1 -DTRY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:14,pso:14
// executions: sc=1 tso=1 pso=1
// executions: -DN=5 -DK=3 sc=1 tso=1 pso=1
// executions: -DWRITERS=1 sc=4 tso=4 pso=4
// executions: -DWRITERS=1 -DN=5 sc=16 tso=16 pso=16
// executions: -DWRITERS=2 sc=6 tso=6 pso=6
// executions: -DPOSTS sc=1 tso=1 pso=1
// executions: -DPOSTS -DN=5 -DK=3 sc=1 tso=1 pso=1
// executions: -DPOSTS -DWAITS=1 -DN=2 -DK=2 sc=2 tso=2 pso=2
//
// Readers of a reader-writer lock, and posts of a semaphore, add to a count in any order. A writer comes before or behind
// each reader: with one writer among N threads there are 2^(N - 1) executions. A wait looks at the count of posts, so where
// a thread posts twice and another waits twice, the first wait is before the second post or behind it.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif
#ifndef WRITERS
#define WRITERS 0
#endif
#ifndef WAITS
#define WAITS 0
#endif

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
int data, seen[N];

static void *work(void *argument) {
  long self = (long)argument;
  for (int i = 0; i < K; i++) {
#ifdef POSTS
    if (self < WAITS)
      sem_wait(&semaphore);
    else
      sem_post(&semaphore);
#else
    if (self < WRITERS) {
#ifdef TRY
      assert(pthread_rwlock_trywrlock(&lock) == 0);
#else
      pthread_rwlock_wrlock(&lock);
#endif
      data++;
    } else {
      pthread_rwlock_rdlock(&lock);
      seen[self] = data;
    }
    pthread_rwlock_unlock(&lock);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int value;
  sem_init(&semaphore, 0, 0);
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
#ifdef VALUE
  sem_getvalue(&semaphore, &value);
  assert(value != 2);
#endif
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
#ifdef POSTS
  sem_getvalue(&semaphore, &value);
  assert(value == (N - 2 * WAITS) * K);
#else
  (void)value;
  assert(data == WRITERS * K);
#endif
  return 0;
}
