// check: --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=32
// check: --reduce=all -DFIRST sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=32
// check: --reduce=all -DGETTID sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=32
//
// The numbers of threads make a difference: the one with the higher number must not be the only one that was there, says main, which is wrong. If the threads could be exchanged,
// the state in which it is wrong would be taken for the one in which it is right.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_ulong low = -1UL, high;

void *visit(void *unused) {
  (void)unused;
#ifdef GETTID
  unsigned long me = gettid();
#else
  unsigned long me = pthread_self();
#endif
#ifdef FIRST
  me = me % 5 + 1;
#endif
  if (me > high) high = me; else low = me;
  return 0;
}
int main(void) {
  pthread_t last;
  for (int i = 0; i < 2; i++) pthread_create(&last, 0, visit, 0);
  unsigned long seen = high;
  assert(seen == 0 || low != -1UL);
}
