// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free)
// check: -DTRIES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSECOND_ONLY sc=holds tso=holds pso=holds
//
// After a join, main detaches another thread, and frees what that one may still write. With TRIES it joins it
// if it has ended. Neither waits, so the other thread need not have ended.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *nothing(void *unused) { return unused; }

static void *stores(void *cell) {
  *(char *)cell = 3;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  char *cell = malloc(1);
  pthread_create(&first, NULL, nothing, NULL);
  pthread_create(&second, NULL, stores, cell);
  pthread_join(first, NULL);
#ifdef TRIES
  assert(pthread_tryjoin_np(second, NULL) == 0);
#elif defined(SECOND_ONLY)
  pthread_join(second, NULL);
#else
  pthread_detach(second);
#endif
  free(cell);
}
