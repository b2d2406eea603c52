// check: sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
//
// errno belongs to its thread; the last thread to end runs what is to run at the end, and has its thread-local variables then.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static _Thread_local int own = 3;

static void *converts(void *unused) {
  errno = 0;
  assert(strtol("99999999999999999999", NULL, 10) > 0 && errno == ERANGE);
  return unused;
}

static void at_end(void) {
  assert(own == 3 || own == 4);
}

int main(void) {
  pthread_t thread;
  atexit(at_end);
  own = 4;
  pthread_create(&thread, NULL, converts, NULL);
  pthread_detach(thread);
  errno = 0;
  assert(strtol("12", NULL, 10) == 12 && errno == 0);
  pthread_exit(NULL);
}
