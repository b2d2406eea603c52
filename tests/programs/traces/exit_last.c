// check: sc=holds tso=holds pso=holds states=sc:47,tso:347,pso:347
// check: -DHOW=2 sc=holds tso=holds pso=holds states=sc:177,tso:1278,pso:1278
// check: -DHOW=3 sc=holds tso=holds pso=holds states=sc:177,tso:1278,pso:1278
// check: -DHOW=4 sc=holds tso=holds pso=holds states=sc:47,tso:347,pso:347
// check: -DWAITERS sc=holds tso=holds pso=holds states=sc:97,tso:697,pso:697
// check: -DLATE sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:35,tso:56,pso:56
// check: -DLATE -DHOW=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:35,tso:56,pso:56
// executions: sc=24 tso=24 pso=24
// executions: -DN=5 sc=720 tso=720 pso=720
// executions: -DN=7 sc=40320 tso=40320 pso=40320
// executions: -DHOW=2 sc=24 tso=24 pso=24
// executions: -DHOW=3 sc=24 tso=24 pso=24
// executions: -DHOW=4 sc=24 tso=24 pso=24
// executions: -DWAITERS sc=24 tso=24 pso=24
// executions: -DAPART sc=1 tso=1 pso=1
//
// The process ends while its threads run. When it ends shows in nothing, so it ends last: N writers and a reader of one
// variable have (N + 1)! orders, of a variable each one. Threads that wait for ever, in a loop or for a lock, make
// no difference, and no deadlock. What goes wrong late in a thread is found all the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef N
#define N 3
#endif
#ifndef HOW
#define HOW 1
#endif

volatile int x[N + 1];
volatile int never;
pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *argument) {
  long self = (long)argument;
#ifdef APART
  x[self] = 1;
#else
  x[0] = (int)self;
#endif
  return NULL;
}

static void *reader(void *unused) {
  int seen = x[0];
  (void)seen;
#ifdef LATE
  assert(seen != 2);
#endif
  return unused;
}

static void *spin(void *unused) {
  while (!never)
    ;
  assert(0);
  return unused;
}

static void *lock(void *unused) {
  pthread_mutex_lock(&held);
  assert(0);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef WAITERS
  pthread_mutex_lock(&held);
  pthread_create(&thread, NULL, spin, NULL);
  pthread_create(&thread, NULL, lock, NULL);
#else
  (void)lock;
  (void)spin;
#endif
  for (long i = 1; i <= N; i++)
    pthread_create(&thread, NULL, writer, (void *)i);
  pthread_create(&thread, NULL, reader, NULL);
  switch (HOW) {
  case 1:
    return 0;
  case 2:
    exit(1);
  case 3:
    quick_exit(2);
  default:
    _exit(3);
  }
}
