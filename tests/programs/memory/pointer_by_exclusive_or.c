// check: sc=holds tso=holds pso=holds states=sc:14,tso:14,pso:14
// check: -DLATE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:17,pso:17
//
// A thread publishes a pointer to its memory by an exclusive or whose result it does not use. The thread that
// found the pointer may or may not see the values stored there afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

uintptr_t place;

static void *giver(void *unused) {
  int *own = malloc(sizeof *own);
  __atomic_store_n(own, 1, __ATOMIC_RELAXED);
  __atomic_fetch_xor(&place, (uintptr_t)own, __ATOMIC_SEQ_CST);
#ifdef LATE
  __atomic_store_n(own, 2, __ATOMIC_RELAXED);
#endif
  return unused;
}

static void *finder(void *unused) {
  int *found = (int *)__atomic_load_n(&place, __ATOMIC_SEQ_CST);
  if (found != NULL)
    assert(__atomic_load_n(found, __ATOMIC_RELAXED) == 1);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, giver, NULL);
  pthread_create(&threads[1], NULL, finder, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
