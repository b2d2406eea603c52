// check: sc=holds tso=holds pso=holds states=sc:4,tso:10,pso:10
// check: --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=30 related=19,25 states=sc:6,tso:8,pso:8
// check: --races -DRELEASE sc=holds tso=holds pso=holds states=sc:6,tso:12,pso:12
//
// One thread uses a block and says that it is done, the other frees it: without order even where no execution uses freed memory.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

#ifdef RELEASE
#define GIVE memory_order_release
#else
#define GIVE memory_order_relaxed
#endif

static void *user(void *block) {
  int copy = *(int *)block;
  atomic_store_explicit(&done, 1 + 0 * copy, GIVE);
  return NULL;
}

int main(void) {
  int *block = calloc(1, sizeof *block);
  pthread_t thread;
  pthread_create(&thread, NULL, user, block);
  while (!atomic_load_explicit(&done, memory_order_acquire))
    ;
  free(block);
  pthread_join(thread, NULL);
  return 0;
}
