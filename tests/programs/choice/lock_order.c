// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:478,tso:316,pso:316
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:478,tso:430,pso:430
//
// Which flag a thread raises is a choice of the run, so one program stands for all its inputs: store buffering where the threads choose different flags.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <stdatomic.h>

int flags[3], seen[2], chosen[2];

static void *raise_and_look(void *argument) {
  int me = *(int *)argument;
  flags[chosen[me]] = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  seen[me] = flags[chosen[1 - me]];
  return 0;
}

int main(void) {
  pthread_t thread;
  int first = 0, second = 1;
  chosen[0] = (int)rmc_choose(3);
  chosen[1] = (int)rmc_choose(3);
  pthread_create(&thread, 0, raise_and_look, &first);
  raise_and_look(&second);
  pthread_join(thread, 0);
  assert(seen[0] || seen[1]);
  return 0;
}
