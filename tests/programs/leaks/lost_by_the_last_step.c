// check: --leaks=all --no-local-memory --cross-check sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=15 related=12 states=sc:1,tso:1,pso:1
// optimised: differs an allocation that nobody uses is removed
//
// The step that goes wrong is the one that loses the block, since nothing before it uses the pointer: the loss came first, and is what is reported.
#include <pthread.h>
#include <stdlib.h>

static pthread_t nobody;

int main(void) {
  // The last use of the pointer is its initialisation.
  unsigned char *cell = calloc(16, 1);
  (void)cell;
  void *result = 0;
  pthread_join(nobody, &result);
  return 0;
}
