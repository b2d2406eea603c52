// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:12,pso:12
//
// printf reads a text that another thread changes: other threads run before it does.
#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <assert.h>
char buf[2] = "a";
atomic_int flag;
void *t2(void *a) {
  atomic_store(&flag, 1);
  buf[0] = 0;
  atomic_thread_fence(memory_order_seq_cst);
  return 0;
}
int main(void) {
  pthread_t b;
  pthread_create(&b, 0, t2, 0);
  int r = atomic_load(&flag);
  int n = printf("%s", buf);
  assert(!(r == 0 && n == 0));
  pthread_join(b, 0);
  return 0;
}
