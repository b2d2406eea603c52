// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:3,tso:4,pso:4
//
// A table of functions, a function handed over as an argument, and one stored by another thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef int (*operation)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static const operation table[] = {add, subtract};
static operation chosen;

static int apply(operation f, int a, int b) { return f(a, b); }

static void *choose(void *unused) {
  chosen = table[1];
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, choose, NULL);
  assert(apply(table[0], 2, 3) == 5);
  pthread_join(thread, NULL);
  assert(chosen == subtract && chosen(2, 3) == -1);
  return 0;
}
