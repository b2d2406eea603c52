// check: sc=holds tso=holds pso=holds states=sc:83,tso:9,pso:9
// executions: sc=2 tso=2 pso=2
//
// More stores than a buffer has room for at first: without a bound of the user's it is made larger, by every
// engine.
#include <pthread.h>

static int numbers[40];

static void *store(void *unused) {
  for (int i = 0; i < 40; i++)
    numbers[i] = i;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, store, NULL);
  int last = numbers[39];
  pthread_join(thread, NULL);
  return last < 0;
}
