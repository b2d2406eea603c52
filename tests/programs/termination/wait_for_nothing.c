// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=30 states=sc:3,tso:3,pso:3
// check: -DSET sc=holds tso=holds pso=holds states=sc:6,tso:6,pso:6
// check: -DCOUNT sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=30 states=sc:258,tso:258,pso:258
// optimised: differs nobody stores to the static variable, so the loop becomes `for (;;);`, which looks at nothing
//
// A loop that does nothing but look at a variable waits for a change of it. If all others have ended or wait too, it waits for ever.
// With -DCOUNT it also counts, in a register, and comes round after 256 turns: others cannot notice that.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *waits(void *unused) {
#ifdef COUNT
  for (unsigned char rounds = 0; atomic_load(&ready) == 0; rounds++)
    ;
#else
  while (atomic_load(&ready) == 0)
    ;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
#ifdef SET
  atomic_store(&ready, 1);
#endif
  pthread_join(thread, NULL);
  return 0;
}
