// check: sc=holds tso=holds pso=holds states=sc:7,tso:7,pso:7
// check: -DJOIN_DETACHED sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice) states=sc:4,tso:4,pso:4
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) states=sc:1,tso:1,pso:1
// check: -DSCHEDULER sc=refused(pthread_attr_setschedpolicy) tso=refused(pthread_attr_setschedpolicy) pso=refused(pthread_attr_setschedpolicy)
//
// Attributes of threads: detached or not, sizes of stacks.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static int done;

static void *work(void *unused) {
  __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
#ifndef NEVER_INITIALISED
  assert(pthread_attr_init(&attributes) == 0);
#else
  for (unsigned i = 0; i < sizeof attributes; i++)
    ((char *)&attributes)[i] = 0;
#endif
  int state = -1;
  size_t size;
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setstacksize(&attributes, 1) == EINVAL);
  assert(pthread_attr_setstacksize(&attributes, 65536) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 65536);
#ifdef SCHEDULER
  pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
#endif
  assert(pthread_create(&thread, &attributes, work, NULL) == 0);
  pthread_setname_np(thread, "worker");
  assert(pthread_join(thread, NULL) == 0);
  assert(done == 1);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_create(&thread, &attributes, work, NULL) == 0);
#ifdef JOIN_DETACHED
  pthread_join(thread, NULL);
#endif
  pthread_attr_destroy(&attributes);
  return 0;
}
