// check: --svcomp sc=holds tso=holds states=sc:48,tso:40
// check: --svcomp --engine=dpor sc=holds tso=holds
// check: --svcomp -DLEAST=1 sc=violated(out-of-bounds) states=sc:2
// check: --svcomp -DLEAST=1 --engine=dpor sc=violated(out-of-bounds) tso=violated(out-of-bounds)
//
// Threads and their locks are in arrays whose lengths are an input.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

#ifndef LEAST
#define LEAST 2
#endif

static int total;
static pthread_mutex_t *locks;

static void *count(void *unused) {
  pthread_mutex_lock(&locks[1]);
  total++;
  pthread_mutex_unlock(&locks[1]);
  return unused;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < LEAST || n > 100000)
    return 0;
  pthread_t *threads = malloc(n * sizeof *threads);
  locks = malloc(n * sizeof *locks);
  pthread_mutex_init(&locks[1], 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(total == 2);
  free(threads);
  free(locks);
  return 0;
}
