// check: sc=holds tso=holds pso=holds states=sc:100,tso:322,pso:382
// executions: sc=28 tso=48 pso=48
//
// One execution of the 48 is found only if a race is reversed again when it comes up in another execution, with other events behind it. The numbers are those of the
// textbook machine's different reads-from and store orders.
#include <pthread.h>

int x, y, z, w;

static void *first(void *unused) {
  int a = y;
  x = 1;
  int b = z;
  (void)a, (void)b;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  z = 1;
  int c = w;
  (void)c;
  return unused;
}

static void *third(void *unused) {
  w = 1;
  w = 2;
  int d = x;
  int e = z;
  (void)d, (void)e;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first, NULL);
  pthread_create(&thread, NULL, second, NULL);
  pthread_create(&thread, NULL, third, NULL);
  pthread_exit(NULL);
}
