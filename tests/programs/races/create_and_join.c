// check: --races sc=holds tso=holds pso=holds states=sc:7,tso:7,pso:7
// check: --races -DBEFORE_JOIN sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=12 related=27 states=sc:6,tso:5,pso:5
// check: --races -DAFTER_CREATE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=12 related=21 states=sc:5,tso:2,pso:2
// check: --races -DDETACHED sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=12 related=12 states=sc:18,tso:13,pso:13
//
// What comes before the creation of a thread and after its join is ordered; nothing else is. The number of a thread that is gone may belong to another.
#include <pthread.h>

static int value;

static void *increment(void *unused) {
  value++;
  return unused;
}

int main(void) {
  pthread_t thread;
  value = 1;
  pthread_create(&thread, NULL, increment, NULL);
#ifdef AFTER_CREATE
  value = 2;
#endif
#ifdef DETACHED
  pthread_detach(thread);
#else
#ifdef BEFORE_JOIN
  int early = value;
  if (early > 2)
    return 1;
#endif
  pthread_join(thread, NULL);
#endif
  pthread_create(&thread, NULL, increment, NULL);
  pthread_join(thread, NULL);
  return value == 3 ? 0 : 1;
}
