// check: --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=35 states=sc:619,tso:604,pso:604
// optimised: differs the first of two plain stores to the word is removed
//
// A word is used under a mutex, but for one access that comes late and seldom: what was taken for guarded is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef TURNS
#define TURNS 12
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int word;
static atomic_int turns;

static void *change(void *unused) {
  for (int i = 0; i < TURNS; i++)
    atomic_fetch_add(&turns, 1);
  pthread_mutex_lock(&mutex);
  word = 1;
  word = 2;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *look(void *unused) {
  for (int i = 0; i < TURNS; i++) {
    pthread_mutex_lock(&mutex);
    word = word;
    pthread_mutex_unlock(&mutex);
  }
  if (atomic_load(&turns) == TURNS) {
    int seen = word;
    assert(seen != 1);
  }
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
