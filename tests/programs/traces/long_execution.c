// check: sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// executions: sc=1 tso=1 pso=1
// executions: -DN=5000 sc=1 tso=1 pso=1
//
// Threads that do nothing in common have one execution however long they are, and what it takes grows with
// its length, not with that of all ways there: the end of the process, which comes last, is in no race with
// what they did.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int x[2];

static void *count(void *argument) {
  for (int i = 0; i < N; i++)
    x[(long)argument] = i;
  return NULL;
}

int main(void) {
  pthread_t thread[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&thread[i], NULL, count, (void *)i);
  return 0;
}
