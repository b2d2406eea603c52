// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:7,tso:6,pso:6
// check: -DWAITS --leaks --keep-going --cross-check sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:7,tso:6,pso:6
// check: -DKEEPS --leaks sc=holds tso=holds pso=holds states=sc:7,tso:5,pso:5
// optimised: differs nothing reads the pointers, so the optimiser removes them with the allocation
//
// A store that overwrites the only pointer to some memory is delayed, and then its thread goes round in a loop for ever: nothing decides when the store reaches memory. It does all
// the same.
#include <pthread.h>
#include <stdlib.h>

static void *place, *other;
static int never;

static void *overwrite(void *unused) {
#ifdef KEEPS
  __atomic_store_n(&other, unused, __ATOMIC_RELAXED);
#else
  __atomic_store_n(&place, unused, __ATOMIC_RELAXED);
#endif
#ifdef WAITS
  while (!__atomic_load_n(&never, __ATOMIC_RELAXED))
    ;
#else
  for (volatile int turn = 0;; turn = !turn)
    ;
#endif
  return unused;
}

// A function of its own, whose local variables are gone when it returns.
static void allocate(void) {
  __atomic_store_n(&place, malloc(8), __ATOMIC_SEQ_CST);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, overwrite, NULL);
  allocate();
  pthread_join(thread, NULL);
  free(other);
  return 0;
}
