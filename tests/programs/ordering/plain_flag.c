// check: sc=holds tso=holds pso=violated(assertion) states=sc:16,tso:18,pso:15
// check: --cflags=-O2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:6,tso:6,pso:6
// optimised: differs a data race, the loop is assumed to end
//
// A plain flag is waited for. As written TSO keeps it right. The optimiser may assume that the loop ends and that nobody
// else writes: it removes the loop.
#include <assert.h>
#include <pthread.h>

static int data, ready;

static void *sender(void *unused) {
  data = 42;
  ready = 1;
  return unused;
}

static void *receiver(void *unused) {
  while (!ready)
    ;
  assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sender, NULL);
  pthread_create(&threads[1], NULL, receiver, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
