// A flag after its data: under pso the flag can arrive first. A store-store barrier in the writer is enough.
// check: --robustness sc=holds tso=holds pso=violated(not-robust) at=11
// check: --robustness -DBARRIER tso=holds pso=holds
// check: --robustness -DBARRIER --weak-release pso=violated(not-robust)

#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
#ifdef BARRIER
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int seen = 0;
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    seen = atomic_load_explicit(&data, memory_order_relaxed);
  pthread_join(thread, NULL);
  return seen > 1;
}
