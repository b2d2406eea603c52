// N threads count under a lock, and then each looks at the count without it. The thread that is the K-th to
// hold the lock sees the count of any of the N - K + 1 that hold it from there on, so there are (N!)^2
// reads-from classes under every model.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;

static void *turn(void *unused) {
  pthread_mutex_lock(&lock);
  int old = atomic_load_explicit(&count, memory_order_relaxed);
  atomic_store_explicit(&count, old + 1, memory_order_relaxed);
  pthread_mutex_unlock(&lock);
  (void)atomic_load_explicit(&count, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, turn, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
