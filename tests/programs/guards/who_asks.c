// check: --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=26 states=sc:10,tso:10,pso:10
// check: --reduce=all -DWAITS sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
//
// Whether a mutex is held can be seen by who tries to lock it, so unlocking it is seen, too.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int word;

static void *change(void *unused) {
  pthread_mutex_lock(&mutex);
  word++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *look(void *unused) {
#ifdef WAITS
  int busy = pthread_mutex_lock(&mutex);
#else
  int busy = pthread_mutex_trylock(&mutex);
#endif
  if (!busy)
    pthread_mutex_unlock(&mutex);
  assert(!busy);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, change, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
