// check: sc=holds tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=violated(deadlock) pso=violated(deadlock)
// check: -DFENCE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DFENCE sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Flags decide without a lock who waits for the other one: each thread says that it is there, and waits if it
// finds nobody. The second to come wakes the first, unless both flags are delayed.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int here[2];
static sem_t wakes[2];

static void *meet(void *argument) {
  int own = *(int *)argument;
  atomic_store_explicit(&here[own], 1, memory_order_relaxed);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&here[!own], memory_order_relaxed))
    sem_post(&wakes[!own]);
  else
    sem_wait(&wakes[own]);
  return 0;
}

int main(void) {
  static int numbers[2] = {0, 1};
  pthread_t threads[2];
  sem_init(&wakes[0], 0, 0);
  sem_init(&wakes[1], 0, 0);
  pthread_create(&threads[0], 0, meet, &numbers[0]);
  pthread_create(&threads[1], 0, meet, &numbers[1]);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
