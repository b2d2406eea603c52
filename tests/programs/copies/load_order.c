// check: sc=holds tso=holds pso=holds states=sc:31,tso:49,pso:69
// check: --engine=dpor sc=holds tso=holds pso=holds
// check: -DSEEN=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:13,tso:38,pso:57
// check: --engine=dpor -DSEEN=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSEEN=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:21,tso:39,pso:57
// check: --engine=dpor -DSEEN=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSEEN=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:31,tso:40,pso:57
// check: --engine=dpor -DSEEN=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// The loads of a structure assignment are unordered among themselves: every combination of old and new parts can be
// copied, while another thread writes them one after the other. -DSEEN says that a combination cannot be.
#include <assert.h>
#include <pthread.h>

#ifndef SEEN
#define SEEN 8
#endif

struct parts {
  long part[3];
};

static struct parts shared;

static void *writer(void *unused) {
  for (int i = 0; i < 3; i++)
    *(volatile long *)&shared.part[i] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  struct parts copy = shared;
  long seen = copy.part[0] | copy.part[1] << 1 | copy.part[2] << 2;
  assert(seen < 8 && seen != SEEN);
  pthread_join(thread, NULL);
  return 0;
}
