// check: --svcomp sc=holds tso=holds pso=holds states=sc:344,tso:110,pso:110
// check: --svcomp --no-reduce=subsumption sc=holds tso=holds pso=holds states=sc:868,tso:270,pso:270
// check: --svcomp -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:344,tso:108,pso:108
// check: --svcomp --no-reduce=inputs -DFEW sc=holds states=sc:4041
// check: --svcomp -DFEW sc=holds states=sc:344
//
// Two threads compare the same input or do not, with different numbers, and go on as if they had not. A state
// in which more is known of the input is left out if there is one in which less is known.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

static unsigned input;
static int flag;

static void *compare(void *least) {
  switch (rmc_choose(3)) {
  case 1:
    flag = input < 10;
    break;
  case 2:
    if (input < *(unsigned *)least)
      flag = 1;
  }
  flag = 0;
  for (int i = 0; i < 3; i++)
    flag = i;
  return 0;
}

int main(void) {
  unsigned numbers[2] = {20, 30};
  pthread_t threads[2];
#ifdef FEW
  input = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(input >= 8 && input < 32);
#else
  input = __VERIFIER_nondet_uint();
#endif
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, compare, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
#ifdef WRONG
  assert(input != 25);
#endif
  return input & 1;
}
