// check: sc=holds tso=holds pso=holds states=sc:58,tso:58,pso:58
// check: -DNO_LOCK_PREFIX sc=refused(add) tso=refused(add) pso=refused(add)
//
// A lock-prefixed instruction is a read-modify-write and a full fence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef NO_LOCK_PREFIX
#define PREFIX
#else
#define PREFIX "lock; "
#endif

static atomic_int flag[2];
static int seen[2], counter;

static void *announce_and_look(void *argument) {
  int me = argument != NULL;
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  __asm__ volatile(PREFIX "addl %1, %0" : "+m"(counter) : "r"(me + 1) : "memory", "cc");
  seen[me] = atomic_load_explicit(&flag[1 - me], memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, announce_and_look, NULL);
  pthread_create(&threads[1], NULL, announce_and_look, &flag);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(counter == 3);
  assert(seen[0] || seen[1]);
  return 0;
}
