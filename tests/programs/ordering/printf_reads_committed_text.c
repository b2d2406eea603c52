// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:19,tso:9,pso:9
//
// printf sees the stores of other threads in every order that they may have reached memory in.
// T2 sees its own fenced store chain: printf must see committed stores of others
#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <assert.h>
char buf[2] = "a";
atomic_int flag;
void *t2(void *a) {
  buf[0] = 'c';
  buf[0] = 0;
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store(&flag, 1);
  return 0;
}
int main(void) {
  pthread_t b;
  pthread_create(&b, 0, t2, 0);
  ((volatile char *)buf)[0] = 'b';
  int r = atomic_load(&flag);
  if (r) {
    int n = printf("%s", buf);
    assert(n == 1);
  }
  pthread_join(b, 0);
  return 0;
}
