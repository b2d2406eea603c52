// check: sc=holds tso=holds pso=holds states=sc:55,tso:55,pso:55
// check: --cflags=-O2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// optimised: differs this is what the program is about
//
// Both threads write owner, wait for each other, and read it: exactly one finds its own name. The optimiser of LLVM 16 gets
// this wrong: owner is static, used in one function only, always written there before it is read, and that function is
// never called while it is active; so it becomes a local variable, although two threads run the function at once.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static atomic_int arrived[2];
static int found_itself[2];

static void *contend(void *argument) {
  int me = argument != NULL;
  atomic_store(&owner, me + 1);
  atomic_store(&arrived[me], 1);
  while (!atomic_load(&arrived[1 - me]))
    ;
  found_itself[me] = atomic_load(&owner) == me + 1;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, contend, NULL);
  pthread_create(&threads[1], NULL, contend, &arrived);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(found_itself[0] + found_itself[1] == 1);
  return 0;
}
