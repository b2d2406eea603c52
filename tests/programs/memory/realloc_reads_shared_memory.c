// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=24 related=none states=sc:38,tso:54,pso:54
//
// realloc copies what memory holds, not what the calling thread would forward to itself: another thread's store may have come last.
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
#include <assert.h>
struct S {
  int x;
  int y;
};
struct S *o;
atomic_int done;
void *t2(void *a) {
  o->x = 1;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return 0;
}
void *t1(void *a) {
  o->x = 2;
  if (atomic_load_explicit(&done, memory_order_relaxed)) {
    struct S *p = realloc(o, 16);
    assert(p->x == 2);
  }
  return 0;
}
int main(void) {
  o = malloc(sizeof *o);
  o->x = 0;
  o->y = 0;
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
