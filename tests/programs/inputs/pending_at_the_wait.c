// check: --svcomp sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:12,tso:8,pso:8
//
// A thread waits for ever with an input in its buffer that may be what memory has. The loop does not store
// it, so it makes no difference whether it is.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

volatile unsigned char stored, never;

static void *waiter(void *unused) {
  (void)unused;
  stored = __VERIFIER_nondet_uchar();
  while (never < 250)
    ;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  never = stored & 7;
  pthread_join(thread, 0);
  return 0;
}
