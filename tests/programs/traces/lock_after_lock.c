// check: sc=holds tso=holds pso=holds states=sc:45,tso:39,pso:39
// executions: sc=12 tso=12 pso=12
//
// Two orders of the sections, and what they load does not become older: 2 * 6. Where a lock is to be taken before another section, nothing is left of that
// section, and what happened before the lock only because of it does so no more.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *look(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_load_explicit(&x, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, look, NULL);
  pthread_create(&threads[1], NULL, look, NULL);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
