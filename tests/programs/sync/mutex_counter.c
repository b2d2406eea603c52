// check: sc=holds tso=holds pso=holds states=sc:27,tso:21,pso:21
// check: -DSTATIC sc=holds tso=holds pso=holds states=sc:27,tso:21,pso:21
// check: -DNO_LOCK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=36 related=none states=sc:21,tso:26,pso:26
//
// Two threads count under a mutex made by pthread_mutex_init or by the static initialiser.
#include <assert.h>
#include <pthread.h>

#ifdef STATIC
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#else
static pthread_mutex_t mutex;
#endif
static int counter;

static void *count(void *unused) {
#ifndef NO_LOCK
  pthread_mutex_lock(&mutex);
#endif
  counter++;
#ifndef NO_LOCK
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
#ifndef STATIC
  pthread_mutex_init(&mutex, NULL);
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(counter == 2);
  pthread_mutex_destroy(&mutex);
  return 0;
}
