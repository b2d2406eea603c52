// check: --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) states=sc:19,tso:11,pso:11
// optimised: differs the variable is only compared with NULL, so nothing is allocated
//
// Two threads put their memory into the same place; one of the two pointers is gone, whichever came last. The execution then goes wrong in another way:
// it had lost memory before.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *slot;

static void *put(void *unused) {
  slot = malloc(8);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, put, NULL);
  pthread_create(&second, NULL, put, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(slot == NULL);
  return 0;
}
