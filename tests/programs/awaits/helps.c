// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=27 states=sc:38,tso:38,pso:38
// check: -DEARLIER sc=holds tso=holds pso=holds states=sc:35,tso:35,pso:35
//
// A loop stores what another thread also stores, and nobody reads which of the two stores comes first. If the
// other one comes first, memory stays as it was, but the round of the loop is no waiting: if its own store
// comes first, the thread goes on before the other one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int link, tail, seen;

static void *helper(void *unused) {
  int was;
  while (was = atomic_load(&tail), was == 0 && atomic_load(&link) == 1)
    atomic_store(&tail, 1);
  atomic_store(&seen, was);
  return unused;
}

static void *linker(void *unused) {
#ifdef EARLIER
  assert(atomic_load(&seen) == 0);
  atomic_store(&link, 1);
#else
  atomic_store(&link, 1);
  assert(atomic_load(&seen) == 0);
#endif
  atomic_store(&tail, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, helper, 0);
  pthread_create(&b, 0, linker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
