// check: --svcomp sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:26,tso:24,pso:24
//
// `sem_wait` empties the buffer of its thread before it is blocked. So the store is in memory in the
// deadlock, and `main` has nothing more to find out.
#include <pthread.h>
#include <semaphore.h>

unsigned char __VERIFIER_nondet_uchar(void);

unsigned char cell;
sem_t tokens;

static void *waiter(void *unused) {
  (void)unused;
  unsigned char x = __VERIFIER_nondet_uchar();
  cell = x;
  for (int turn = 0; turn < 300; turn++)
    ;
  if (x / 3 * 3 < 7)
    sem_wait(&tokens);
  return 0;
}

int main(void) {
  sem_init(&tokens, 0, 0);
  pthread_t thread;
  pthread_create(&thread, 0, waiter, 0);
  unsigned char expected = 200;
  __atomic_compare_exchange_n(&cell, &expected, 200, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  pthread_join(thread, 0);
  return 0;
}
