// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
// check: -DQUALIFIER=volatile sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:48,pso:48
//
// Store buffering on plain and on volatile variables, which are checked as written.
#include <assert.h>
#include <pthread.h>

#ifndef QUALIFIER
#define QUALIFIER
#endif

static QUALIFIER int x, y;
static int seen_x, seen_y;

static void *first(void *unused) {
  x = 1;
  seen_y = y;
  return unused;
}

static void *second(void *unused) {
  y = 1;
  seen_x = x;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen_x || seen_y);
  return 0;
}
