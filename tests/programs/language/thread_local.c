// check: sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:16
//
// Each thread has its own copy of a thread-local variable, initialised anew.
#include <assert.h>
#include <pthread.h>

static _Thread_local int mine = 5;

static int next(void) { return ++mine; }

static void *count(void *unused) {
  assert(next() == 6);
  assert(next() == 7);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  mine = 20;
  pthread_create(&threads[0], NULL, count, NULL);
  pthread_create(&threads[1], NULL, count, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(next() == 21);
  return 0;
}
