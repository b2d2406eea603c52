// check: --svcomp --engine=reads-from sc=holds tso=holds pso=holds
//
// Where `main` reads the input, whether it is above 200 may exclude what the thread is told of it afterwards.
// Then an order in which memory allows both has no values.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

unsigned char shared, seen;

static void *other(void *unused) {
  (void)unused;
  unsigned char own = __VERIFIER_nondet_uchar();
  shared = own;
  if (shared <= own)
    seen = 1;
  if (shared == 77)
    seen = 3;
  return 0;
}

static void *ten(void *unused) {
  (void)unused;
  shared = 10;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, other, 0);
  pthread_create(&second, 0, ten, 0);
  if (shared > 200)
    seen = 1;
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
