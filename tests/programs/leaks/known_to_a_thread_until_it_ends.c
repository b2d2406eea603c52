// check: --leaks --keep-going --cross-check sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:66,tso:66,pso:66
// check: -DSMALL --leaks sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:88,tso:88,pso:88
//
// A thread knows its memory until it ends, so if the process ends before, that is not leaked: the end of the thread is no part of the step before it. With SMALL nothing is ever leaked.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *place;
static int done;

static void *allocate(void *unused) {
  void *own = malloc(8);
  __atomic_store_n(&place, own, __ATOMIC_SEQ_CST);
  __atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);
#ifdef SMALL
  free(own);
#endif
  return unused;
}

static void *overwrite(void *unused) {
  __atomic_store_n(&place, NULL, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, allocate, NULL);
  pthread_create(&second, NULL, overwrite, NULL);
  if (__atomic_load_n(&done, __ATOMIC_SEQ_CST))
    assert(__atomic_load_n(&place, __ATOMIC_SEQ_CST) != NULL);
  return 0;
}
