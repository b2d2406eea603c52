// check: sc=holds tso=holds pso=holds states=sc:18,tso:80,pso:80
// executions: sc=6 tso=6 pso=6
// executions: -DN=5 sc=120 tso=120 pso=120
// executions: -DAPART sc=1 tso=1 pso=1
//
// Nobody joins the threads: which one ends last, and so ends the process, does not matter. N writers of one variable have N! orders, of N variables one.
#include <pthread.h>

#ifndef N
#define N 3
#endif

int x[N];

static void *writer(void *argument) {
  long self = (long)argument;
#ifdef APART
  x[self] = 1;
#else
  x[0] = (int)self;
#endif
  return NULL;
}

int main(void) {
  for (long i = 0; i < N; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, (void *)i);
  }
  pthread_exit(NULL);
}
