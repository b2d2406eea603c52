// check: --svcomp sc=unknown(nondet) tso=unknown(nondet) pso=unknown(nondet)
// check: --svcomp -DALONE sc=unknown(nondet) tso=unknown(nondet) pso=unknown(nondet)
// check: --svcomp --no-reduce=inputs sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:262146,tso:262146,pso:262146
// check: --svcomp -DAPART sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
//
// Where both inputs are equal, the loop stores what memory has and waits for ever: a deadlock. Where they
// differ, it is none. Deferred inputs are not divided for that, so nothing is claimed, unless they cannot be
// equal.
#include <pthread.h>
#include <stdatomic.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

_Atomic unsigned char cell;
_Atomic int flag;

static void *writer(void *unused) {
  (void)unused;
  unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
#ifdef APART
  __VERIFIER_assume(x < 10);
  __VERIFIER_assume(y > 20);
#endif
  while (!flag) {
    cell = x;
    cell = y;
  }
  return 0;
}

int main(void) {
#ifdef ALONE
  writer(0);
#else
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_join(thread, 0);
#endif
  return 0;
}
