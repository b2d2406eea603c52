// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=11 related=20,15 states=sc:11,tso:11,pso:11
//
// Memory that another thread still knows is freed and allocated again at once: the moment between is explored.
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
_Atomic(int *) g;
void *t2(void *a) {
  int *p = atomic_load(&g);
  *p = 3;
  return 0;
}
int main(void) {
  int *p = malloc(4);
  *p = 0;
  atomic_store(&g, p);
  pthread_t b;
  pthread_create(&b, 0, t2, 0);
  free(p);
  int *q = malloc(4);
  atomic_store(&g, q);
  pthread_join(b, 0);
  free(q);
  return 0;
}
