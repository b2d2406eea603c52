// check: sc=holds tso=holds pso=holds
// check: --cflags=-O2 sc=holds
// check: --cflags=-mfma -DFUSED sc=holds
// check: -DFALSE sc=violated(false-assumption) at=41
// check: -DUNKNOWN sc=violated(false-assumption) at=44
// check: -DUNALIGNED sc=violated(false-assumption) at=46
// check: -DINEXACT sc=violated(undefined-result) at=48
// check: -DNON_TEMPORAL sc=refused(non-temporal)
// check: --cflags=-ffast-math sc=refused(fast-math)
//
// What a program or the compiler promises is looked at, not believed.
#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct pair { int first, second; };
static volatile int zero, one = 1;
int known = 1;
static volatile double factor = 0x1.0000001p0;
static struct pair pairs[4] __attribute__((aligned(64)));

/* A product and a sum are rounded one by one where the processor cannot do otherwise. */
static void contracted(void) {
  double a = factor, b = factor, c = -0x1.0000002p0;
  double result = a * b + c;
#ifdef FUSED
  assert(result == 0x1p-56);
#else
  assert(result == 0);
#endif
}

int main(void) {
  contracted();
  __builtin_assume(known == 1);
  assert(__builtin_expect(zero, 1) == 0);
  struct pair *aligned = __builtin_assume_aligned(pairs, 64);
  assert(__builtin_assume_aligned(&aligned[1], 64, 8) == &pairs[1]);
  assert(&aligned[3] - &aligned[one] == 2);
#if defined FALSE
  __builtin_assume(known == 2);
#elif defined UNKNOWN
  int *uninitialised = malloc(sizeof(int));
  __builtin_assume(*uninitialised);
#elif defined UNALIGNED
  aligned = __builtin_assume_aligned(&pairs[one], 64);
#elif defined INEXACT
  if ((struct pair *)((char *)aligned + one) - aligned)
    return 1;
#elif defined NON_TEMPORAL
  __builtin_nontemporal_store(1, &pairs[0].first);
#endif
  return 0;
}
