// check: --svcomp sc=holds tso=holds pso=holds states=sc:93,tso:73,pso:73
// check: --svcomp --no-reduce=subsumption sc=holds tso=holds pso=holds states=sc:156,tso:140,pso:140
// check: --svcomp -DTHIRD sc=holds states=sc:121
// check: --svcomp -DTHIRD --no-reduce=subsumption sc=holds states=sc:222
//
// Conditions that relate inputs mean the same, and are written otherwise: that x is below y is a difference
// below 0 for one thread and a comparison for the other. A third input is compared and forgotten, so that
// only a condition refers to it.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>

unsigned short __VERIFIER_nondet_ushort(void);

static int x, y, flag;

static void *subtract(void *unused) {
  (void)unused;
  if (rmc_choose(2))
    flag = x - y < 0;
  flag = 2;
  return 0;
}

static void *compare(void *unused) {
  (void)unused;
  if (rmc_choose(2))
    flag = x < y;
#ifdef THIRD
  else if (x < __VERIFIER_nondet_ushort())
    flag = 3;
#endif
  flag = 2;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  x = __VERIFIER_nondet_ushort();
  y = __VERIFIER_nondet_ushort();
  pthread_create(&threads[0], 0, subtract, 0);
  pthread_create(&threads[1], 0, compare, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  if (x < y)
    assert(x - y < 0);
  return 0;
}
