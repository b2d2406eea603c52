// check: --svcomp sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:21,tso:21,pso:21
// check: --svcomp --no-reduce=subsumption sc=violated(deadlock) states=sc:21
// check: --svcomp --no-reduce=inputs sc=violated(deadlock) states=sc:1537
//
// A loop waits for ever for some values of the input. In each round it asks three questions, one after the
// other, but none before it may begin. The state at its head in which all are answered stands for these
// values only; it is explored although a known state, in which none is answered, stands for them, too.
#include <pthread.h>
#include <stdatomic.h>

unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char input;
static _Atomic int begins, one, two, three;

static void *wait(void *unused) {
  (void)unused;
  for (;;) {
    if (!begins)
      continue;
    if (one == 0 && input < 100)
      break;
    if (two == 0 && input > 200)
      break;
    if (three == 0 && (unsigned char)(input - 150) > 10)
      break;
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  input = __VERIFIER_nondet_uchar();
  pthread_create(&thread, 0, wait, 0);
  begins = 1;
  pthread_join(thread, 0);
  return 0;
}
