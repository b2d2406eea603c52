// check: sc=holds tso=holds pso=holds states=sc:5,tso:11,pso:17
// check: -DFILES=1 sc=refused(poll) tso=refused(poll) pso=refused(poll)
// check: -DMILLISECONDS=-1 sc=refused(poll) tso=refused(poll) pso=refused(poll)
// check: -DENDLESS sc=refused(select) tso=refused(select) pso=refused(select)
//
// Waiting for no file is an old way to sleep in spin loops; waiting for files, or for nothing and for ever, is refused.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/select.h>

#ifndef FILES
#define FILES 0
#endif
#ifndef MILLISECONDS
#define MILLISECONDS 10
#endif

static atomic_int ready;

static void *get_ready(void *unused) {
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct pollfd files[1] = {{0}};
  pthread_create(&thread, NULL, get_ready, NULL);
  while (!atomic_load(&ready)) {
    struct timeval second = {1, 0};
#ifdef ENDLESS
    assert(select(0, NULL, NULL, NULL, NULL) == 0);
#else
    assert(select(0, NULL, NULL, NULL, &second) == 0);
#endif
    assert(poll(files, FILES, MILLISECONDS) == 0);
  }
  pthread_join(thread, NULL);
  return 0;
}
