// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
//
// The process ends while the other thread is between its two stores, before, or after: `x` is 0, 1 or 2 at the end. The first store may have left the
// buffer though nobody looked.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *writer(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store(&x, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  return pthread_create(&thread, NULL, writer, NULL);
}
