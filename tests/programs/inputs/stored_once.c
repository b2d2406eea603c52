// check: --svcomp sc=holds tso=holds pso=holds states=sc:51,tso:31,pso:31
//
// Before main waits for the thread, it stores a result where memory may have that value already. Whether
// others notice the store depends on the input. Main stores it once, so that is no loop that waits.
#include <pthread.h>

unsigned char __VERIFIER_nondet_uchar(void);

unsigned char quotient, sum, cell, table[6];

static void *chooser(void *unused) {
  (void)unused;
  unsigned char index = __VERIFIER_nondet_uchar();
  if (index > 11 && index < 250)
    return 0;
  if ((cell | 15) - 128 < index)
    table[index % 6] = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  unsigned char input = __VERIFIER_nondet_uchar();
  pthread_create(&thread, 0, chooser, 0);
  quotient = (signed char)(sum + input) / 4;
  pthread_join(thread, 0);
  return 0;
}
