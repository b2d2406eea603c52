// Stores are delayed, and loads overtake them, but nobody can tell: each thread has variables of its own, or both look at one variable only.
// check: --robustness sc=holds tso=holds pso=holds
// check: --robustness --no-local-memory tso=holds pso=holds

#include <pthread.h>
#include <stdint.h>

static int own[2], other[2], common, seen[2][2];

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  own[self] = 1;
  seen[self][0] = other[self];
  other[self] = 1;
  common = self + 1;
  // From the buffer, whatever the other thread stores meanwhile.
  seen[self][1] = common;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work((void *)0);
  pthread_join(thread, NULL);
  return 0;
}
