// check: sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
//
// What a thread returns or hands to pthread_exit, also deep in a call, arrives at join.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void leave(intptr_t result) { pthread_exit((void *)result); }

static void *returns(void *argument) { return (void *)((intptr_t)argument + 1); }

static void *exits(void *argument) {
  leave((intptr_t)argument + 2);
  assert(0);
}

int main(void) {
  pthread_t threads[2];
  void *results[2];
  pthread_create(&threads[0], NULL, returns, (void *)10);
  pthread_create(&threads[1], NULL, exits, (void *)20);
  pthread_join(threads[1], &results[1]);
  pthread_join(threads[0], &results[0]);
  assert((intptr_t)results[0] == 11 && (intptr_t)results[1] == 22);
  return 0;
}
