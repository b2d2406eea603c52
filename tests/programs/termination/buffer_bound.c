// check: --buffer-bound=1 sc=holds tso=holds pso=unknown(buffer-bound) states=sc:7,tso:15
// check: --engine=explicit --buffer-bound=1 sc=holds tso=unknown(buffer-bound) pso=unknown(buffer-bound) states=sc:7
// check: --buffer-bound=2 sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
// check: --buffer-bound=0 sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
// check: -DVIOLATED --buffer-bound=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:7,tso:8,pso:8
//
// Two stores can be pending. With room for one, nothing wrong is found, but nothing is proved either, unless
// the program is robust; a violation that is found nevertheless stands.
#include <assert.h>
#include <pthread.h>

static volatile int x, y;

static void *writer(void *unused) {
  x = 1;
  y = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef VIOLATED
  assert(!y);
#else
  int seen_y = y;
  assert(seen_y == 0 || seen_y == 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
