// N threads read a variable and write it, without a lock. Each reads from the initial value or from another
// thread, and following that never leads in a circle: the reads-from classes are the trees on N + 1 labelled
// nodes, of which there are (N + 1)^(N - 1) (Cayley's formula), under every model.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int value;

static void *increment(void *unused) {
  int old = atomic_load_explicit(&value, memory_order_relaxed);
  atomic_store_explicit(&value, old + 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, increment, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
}
