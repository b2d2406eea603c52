// check: --svcomp sc=holds tso=holds pso=holds states=sc:88,tso:69,pso:69
// check: --svcomp --engine=dpor sc=holds tso=holds pso=holds
// check: --svcomp -DLEAST=1 sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:11,tso:7,pso:7
// check: --svcomp -DLEAST=1 --engine=dpor sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds)
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) states=sc:88,tso:69
// check: --svcomp -DWRONG --engine=dpor sc=violated(assertion) tso=violated(assertion)
// check: --svcomp --races -DRACE sc=violated(data-race) states=sc:77
// check: --svcomp -DEARLY sc=violated(use-after-free) tso=violated(use-after-free) states=sc:52,tso:55
// check: --svcomp -DEARLY --engine=dpor sc=violated(use-after-free) tso=violated(use-after-free)
//
// Threads access memory of a size that is an input, each so far that the others do not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

#ifndef LEAST
#define LEAST 6
#endif

static int *a;
static unsigned n;

static void *one(void *unused) {
  __atomic_store_n(&a[0], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&a[4], 2, __ATOMIC_SEQ_CST);
  return unused;
}

static void *two(void *unused) {
  a[1] = __atomic_load_n(&a[0], __ATOMIC_RELAXED);
#ifdef RACE
  a[4] = 1;
#endif
  __atomic_fetch_add(&a[5], a[1], __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  n = __VERIFIER_nondet_uint();
  if (n < LEAST || n > 1000000)
    return 0;
  a = calloc(n, sizeof *a);
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
#ifdef EARLY
  if (n == 12345)
    free(a);
#endif
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef EARLY
  return 0;
#endif
  if (n > 50)
    assert(a[50] == 0);
  assert(a[0] == 1 && a[4] == 2 && a[5] == a[1]);
#ifdef WRONG
  assert(a[1] == 1);
#endif
  free(a);
  return 0;
}
