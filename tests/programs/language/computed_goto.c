// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds states=sc:1
// check: -DNOWHERE sc=violated(unreachable) at=13 states=sc:1
// check: -DTHREADS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:11,pso:11
//
// Computed goto: labels in tables, as values, as differences, and from one of many places to another.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ADD, DOUBLE, LOOP, STOP };

static int run(const unsigned char *program, int number) {
  static const void *const labels[] = {&&add, &&twice, &&loop, &&stop};
  int rounds = 3;
#define NEXT goto *labels[*program++]
  NEXT;
add:
  number++;
  NEXT;
twice:
  number *= 2;
  NEXT;
loop:
#ifdef NOWHERE
  goto *(void *)((char *)labels[ADD] + 1000);
#endif
  if (--rounds)
    program -= 3;
  NEXT;
stop:
  return number;
}

static int by_distance(int which) {
  static const int distances[] = {&&first - &&first, &&second - &&first, &&third - &&first};
  void *target = (char *)&&first + distances[which];
  goto *target;
first:
  return 1;
second:
  return 2;
third:
  return 3;
}

static int sum;

static void *work(void *argument) {
  void *label = argument ? &&more : &&less;
  goto *label;
more:
  sum = sum + 2;
  return NULL;
less:
  sum = sum + 1;
  return NULL;
}

int main(void) {
  static const unsigned char program[] = {ADD, DOUBLE, LOOP, STOP};
  assert(run(program, 1) == ((1 + 1) * 2 + 1) * 2 * 2 + 2);
  assert(by_distance(0) == 1 && by_distance(1) == 2 && by_distance(2) == 3);
#ifdef THREADS
  pthread_t thread;
  pthread_create(&thread, NULL, work, &sum);
  work(NULL);
  pthread_join(thread, NULL);
  assert(sum == 3);
#else
  work(&sum);
  assert(sum == 2);
#endif
  return 0;
}
