// check: --keep-going --cross-check sc=holds tso=holds pso=holds states=sc:288,tso:266,pso:266
// check: --keep-going --engine=reads-from sc=holds tso=holds pso=holds
//
// The process ends while a thread runs whose number a new thread would get if it had been joined. The final
// states of both are told apart: here the number is in use, so that the process may end between two stores of
// its thread, also if the first one was read.
#include <pthread.h>

int x, seen;

static void *writer(void *unused) {
  x = 3;
  x = 4;
  return unused;
}

static void *waiter(void *unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_join(thread, NULL);
  return unused;
}

static void *idle(void *unused) {
  return unused;
}

int main(void) {
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, waiter, NULL);
  pthread_create(&threads[1], NULL, idle, NULL);
  seen = x;
  pthread_join(threads[1], NULL);
  pthread_create(&threads[2], NULL, idle, NULL);
  pthread_create(&threads[3], NULL, idle, NULL);
  return 0;
}
