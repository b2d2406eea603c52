// check: sc=holds tso=holds pso=holds states=sc:5836,tso:5836,pso:5836
// check: --reduce=dead,paths,stores,private,symmetry sc=holds tso=holds pso=holds states=sc:457,tso:457,pso:457
// check: --reduce=dead,paths,stores,private,symmetry -DLOST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=36 states=sc:452,tso:452,pso:452
// check: -DWAITS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:5842,tso:5842,pso:5842
// check: --reduce=dead,paths,stores,private,symmetry -DWAITS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:451,tso:451,pso:451
//
// Threads that are alike and are all joined. With LOST main expects that no update was lost; with WAITS the last thread waits for one more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 4
atomic_int count, most;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
  (void)unused;
  int seen = count;
  pthread_mutex_lock(&mutex);
  if (seen > most) most = seen;
  pthread_mutex_unlock(&mutex);
  count = seen + 1;
#ifdef WAITS
  if (seen == THREADS - 1) while (count <= THREADS);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  int all = count;
  assert(all > 0 && all <= THREADS && most < THREADS);
#ifdef LOST
  assert(all == THREADS);
#endif
}
