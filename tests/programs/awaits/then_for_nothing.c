// check: sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: --jobs=2 sc=holds states=sc:5
// check: -DWAITS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:5,tso:5,pso:5
//
// A thread looks at a variable, and then goes round for ever in a loop that looks at nothing. It waits for nothing, wherever
// the search begins to follow it: what it looked at before the loop does not matter. With -DWAITS the loop looks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready, done;

static void *looks_once(void *unused) {
  if (ready > 3)
    return unused;
  for (;;) {
    atomic_thread_fence(memory_order_seq_cst);
#ifdef WAITS
    if (done)
      return unused;
#endif
  }
}

int main(void) {
  pthread_t thread;
  ready = 1;
  pthread_create(&thread, NULL, looks_once, NULL);
  ready = 1;
  pthread_join(thread, NULL);
  return 0;
}
