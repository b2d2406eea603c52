// check: --svcomp sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:8,tso:8,pso:8
// check: --svcomp --no-reduce=inputs sc=violated(deadlock) states=sc:1536
//
// For one value of the input the thread waits for ever. The loop ends a step before the comparison, so that
// the step with the comparison begins in front of the wait.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

unsigned char __VERIFIER_nondet_uchar(void);

_Atomic unsigned char cell;
sem_t never;

static void *waiter(void *unused) {
  (void)unused;
  unsigned char x = cell;
  for (int i = 0; i < 300; i++)
    ;
  if (x == 3)
    sem_wait(&never);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  cell = __VERIFIER_nondet_uchar();
  pthread_create(&thread, 0, waiter, 0);
  pthread_join(thread, 0);
  return 0;
}
