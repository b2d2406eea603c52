// check: sc=holds tso=holds pso=holds
// executions: sc=24 tso=24 pso=24
//
// A thread ends before it is detached or after, and before another one ends or after; that `exit` and
// `pthread_exit` are called makes the order of ends count. What its end reads is what was there before it. An
// engine that takes what is there after it, where it asks for other sources, finds no execution in which the
// thread is detached after its end.
#include <pthread.h>
#include <stdlib.h>

static int sum, cell;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void add(void) {
  sum++;
}

static void *twice(void *unused) {
  pthread_once(&once, add);
  pthread_once(&once, add);
  pthread_exit(unused);
}

static void *once_and_look(void *unused) {
  pthread_once(&once, add);
  if (sum != 1)
    exit(1);
  if (__atomic_load_n(&cell, __ATOMIC_SEQ_CST))
    unused = NULL;
  pthread_once(&once, add);
  return unused;
}

int main(void) {
  pthread_t joined, detached;
  pthread_create(&joined, NULL, once_and_look, NULL);
  pthread_create(&detached, NULL, twice, NULL);
  __atomic_store_n(&cell, 1, __ATOMIC_SEQ_CST);
  pthread_detach(detached);
  pthread_join(joined, NULL);
  return 0;
}
