// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=32
// check: --engine=dpor-source sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=32
// check: --engine=dpor -DLONG sc=holds tso=holds pso=holds
//
// A thread that goes round for ever, and does something in each round: the stateless engine bounds loops by itself, and
// finds what goes wrong in the fifth round of another thread. With LONG, threads go round very often, but not for ever: no
// bound is left in the end, so the verdict is a proof.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int rounds, other;

static void *forever(void *unused) {
  for (;;) {
    atomic_fetch_add(&rounds, 1);
    atomic_fetch_xor(&rounds, 0x10000);
  }
  return unused;
}

static void *often(void *unused) {
  for (int i = 0; i < 11000; i++)
    atomic_fetch_add(&other, 1);
  return unused;
}

#ifndef LONG
static void *looks(void *unused) {
  for (int i = 0; i < 6; i++)
    if (i == 5)
      assert(atomic_load(&other) != 5);
    else
      atomic_fetch_add(&other, 1);
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
#ifdef LONG
  (void)forever;
  pthread_create(&thread, NULL, often, NULL);
  for (int i = 0; i < 11000; i++)
    atomic_fetch_add(&rounds, 1);
#else
  (void)often;
  pthread_create(&thread, NULL, looks, NULL);
  pthread_create(&thread, NULL, forever, NULL);
#endif
  pthread_join(thread, NULL);
  return 0;
}
