// check: --overflow sc=holds tso=violated(signed-overflow) pso=violated(signed-overflow) states=sc:37,tso:41,pso:41
// check: --overflow -DFENCE sc=holds tso=holds pso=holds states=sc:37,tso:36,pso:36
//
// The counter leaves its range only where store buffering lets both threads believe that they are alone.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

int want[2], counter = INT_MAX - 1;

static void *count(void *argument) {
  int me = *(int *)argument;
  want[me] = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (!want[1 - me])
    __atomic_fetch_add(&counter, 0, __ATOMIC_SEQ_CST), counter = counter + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int first = 0, second = 1;
  pthread_create(&thread, 0, count, &first);
  count(&second);
  pthread_join(thread, 0);
  return 0;
}
