// check: sc=holds tso=holds pso=holds states=sc:13,tso:13,pso:13
// check: -DALWAYS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:3,tso:3,pso:3
//
// A join that does not wait, and one that may time out.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static void *work(void *argument) { return argument; }

int main(void) {
  pthread_t thread;
  void *result = NULL;
  struct timespec soon = {1, 0};
  pthread_create(&thread, NULL, work, &soon);
  usleep(100);
  int code = pthread_tryjoin_np(thread, &result);
#ifdef ALWAYS
  assert(code == 0);
#endif
  assert(code == 0 ? result == &soon : code == EBUSY);
  if (code != 0) {
    code = pthread_timedjoin_np(thread, &result, &soon);
    assert(code == 0 ? result == &soon : code == ETIMEDOUT);
  }
  if (code != 0)
    pthread_detach(thread);
  return 0;
}
