// check: --svcomp --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:16,tso:7,pso:7
// check: --svcomp --races -DORDERED sc=holds tso=holds pso=holds states=sc:6,tso:6,pso:6
// check: --svcomp --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:30,tso:16,pso:16
// check: --svcomp --leaks -DFREED sc=holds tso=holds pso=holds states=sc:33,tso:16,pso:16
//
// For one value of an input two threads race, and for one memory is lost: inputs are deferred while races and
// lost memory are looked for.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

static unsigned plain;
static _Atomic unsigned chosen;

static void *use(void *unused) {
  (void)unused;
  unsigned seen = chosen;
#ifndef ORDERED
  if (seen == 123456789)
    plain = 1;
#endif
  if (seen > 7)
    plain += seen;
  return 0;
}

int main(void) {
  pthread_t thread;
  unsigned *kept = malloc(sizeof *kept);
  if (!kept)
    return 1;
  *kept = __VERIFIER_nondet_uint();
  chosen = *kept;
  pthread_create(&thread, 0, use, 0);
#ifdef ORDERED
  pthread_join(thread, 0);
#endif
  if (*kept == 123456789 || *kept < 5)
    plain = 2;
#ifndef ORDERED
  pthread_join(thread, 0);
#endif
#ifdef FREED
  free(kept);
#else
  if (*kept != 77)
    free(kept);
#endif
  return 0;
}
