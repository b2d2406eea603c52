// check: --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:2,tso:2,pso:2
// check: --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSAME_THREAD --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:1,tso:1,pso:1
//
// The last thread of a process frees memory that another one allocated, and allocates memory in a handler of
// the end of the process: it may get the same address.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static long *volatile made, *volatile freed;

static void handler(void) {
  made = malloc(sizeof *made);
  assert(made != freed);
}

static void *last(void *unused) {
  freed = made;
  free(made);
  return unused;
}

int main(void) {
  atexit(handler);
  made = malloc(sizeof *made);
#ifdef SAME_THREAD
  freed = made;
  free(made);
#else
  pthread_t thread;
  pthread_create(&thread, NULL, last, NULL);
  pthread_exit(NULL);
#endif
  return 0;
}
