// check: --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=22 states=sc:6,tso:7,pso:7
// check: --reduce=all -DDETACHED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=22 states=sc:11,tso:10,pso:10
//
// The last thing a thread does races with who saw the thing before it. When it has ended, the other one is the only thread that runs: its access must not pass for one in peace.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int word;

static void *run(void *unused) {
  atomic_store(&flag, 1);
  word = 1;
  return unused;
}

static void check(void) {
  while (!atomic_load(&flag))
    ;
  int seen = word;
  assert(seen);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
#ifdef DETACHED
  pthread_detach(thread);
#endif
  check();
#ifndef DETACHED
  pthread_join(thread, NULL);
#endif
  return 0;
}
