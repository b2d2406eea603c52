// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=9 related=21,14 states=sc:5,tso:7,pso:7
// check: -DJOIN_FIRST sc=holds tso=holds pso=holds states=sc:3,tso:4,pso:4
//
// One thread writes to a block which another frees without waiting.
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *block) {
  *(int *)block = 1;
  return NULL;
}

int main(void) {
  int *block = malloc(sizeof *block);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, block);
#ifdef JOIN_FIRST
  pthread_join(thread, NULL);
  free(block);
#else
  free(block);
  pthread_join(thread, NULL);
#endif
  return 0;
}
