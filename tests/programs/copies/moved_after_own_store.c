// check: sc=holds tso=holds pso=holds states=sc:5,tso:6,pso:6
// check: --cross-check sc=holds tso=holds pso=holds states=sc:5,tso:6,pso:6
// check: -DOTHER=2 --cross-check sc=holds tso=holds pso=holds states=sc:22,tso:34,pso:34
// check: -DOTHER=9 sc=unknown tso=unknown pso=unknown
//
// A thread moves memory to a place that overlaps it, while a store of its own to that memory is delayed: what
// it reads there, nobody else changes. A store of another thread to the source (OTHER=9) may come between.
#include <pthread.h>
#include <string.h>

static char bytes[24];

static void *moves(void *unused) {
  bytes[8] = 1;
  memmove(bytes, bytes + 4, 12);
  return unused;
}

#ifdef OTHER
static void *stores(void *unused) {
  bytes[OTHER] = 2;
  return unused;
}
#endif

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, moves, NULL);
#ifdef OTHER
  pthread_t other;
  pthread_create(&other, NULL, stores, NULL);
  pthread_join(other, NULL);
#endif
  pthread_join(thread, NULL);
}
