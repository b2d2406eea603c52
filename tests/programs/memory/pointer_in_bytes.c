// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) states=sc:42,tso:30,pso:30
//
// A pointer is handed over byte by byte. That a thread computes other numbers from the address shows that the
// object may be known.
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
_Atomic unsigned char g[8];
atomic_int ready;
void *t2(void *a) {
  if (!atomic_load(&ready))
    return 0;
  unsigned long v = 0;
  for (int i = 0; i < 8; i++)
    v |= (unsigned long)atomic_load(&g[i]) << (8 * i);
  free((void *)v);
  return 0;
}
int main(void) {
  pthread_t b;
  pthread_create(&b, 0, t2, 0);
  int *p = malloc(4);
  unsigned long v = (unsigned long)p;
  for (int i = 0; i < 8; i++)
    atomic_store(&g[i], (unsigned char)(v >> (8 * i)));
  atomic_store(&ready, 1);
  *p = 1;
  pthread_join(b, 0);
  return 0;
}
