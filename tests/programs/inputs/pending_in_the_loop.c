// check: --svcomp sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:11,tso:13,pso:13
// check: --svcomp -DANY sc=holds tso=holds pso=holds states=sc:13,tso:11,pso:11
//
// The thread waits with two inputs in its buffer. Where the first is told apart, it is a known value from
// then on, and the second is the only symbol of the state.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);

volatile unsigned char x, y;

static void *other(void *unused) {
  (void)unused;
  return y == 3 ? (void *)&x : 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  unsigned char first = __VERIFIER_nondet_uchar(), second = __VERIFIER_nondet_uchar();
#ifdef ANY
  __VERIFIER_assume(first == 5);
#endif
  x = first;
  y = second;
  while (x != 5)
    ;
  pthread_join(thread, 0);
  return 0;
}
