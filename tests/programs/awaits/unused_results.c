// check: sc=holds tso=holds pso=holds states=sc:51,tso:51,pso:51
// check: -DCLEARER sc=holds tso=holds pso=holds states=sc:53,tso:53,pso:53
// check: -DSTUCK sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:29,tso:29,pso:29
// check: -DSTUCK -DCLEARER sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:31,tso:31,pso:31
// check: -DSEEN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:49,tso:49,pso:49
// check: -DSEEN -DCLEARER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:64,tso:64,pso:64
//
// A loop that waits sets a bit in each round, without using the result: from the second round on it changes nothing,
// unless somebody cleared the bit. Others set other bits, which commutes with that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int bits, go;

static void *waiter(void *unused) {
  while (!go)
    atomic_fetch_or(&bits, 1);
  return unused;
}

static void *setter(void *unused) {
  atomic_fetch_or(&bits, 2);
#ifndef STUCK
  go = 1;
#endif
  return unused;
}

static void *other(void *unused) {
#ifdef CLEARER
  atomic_fetch_and(&bits, ~1);
#else
  atomic_fetch_or(&bits, 4);
#endif
#ifdef SEEN
  int read = bits;
  assert(read != (4 | 1) && read != 3);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, setter, NULL);
  pthread_create(&threads[2], NULL, other, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(bits & 2);
  return 0;
}
