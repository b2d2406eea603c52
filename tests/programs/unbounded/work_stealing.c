// A deque with one place: its owner puts and takes for ever, and a thief steals for ever. The owner's store
// that claims the work must not be delayed past its look at the thief.
// check: --robustness tso=violated(not-robust) states=tso:82
// check: --robustness -DFENCE tso=holds states=tso:58

#include <pthread.h>
#include <stdatomic.h>

static atomic_int tail, head;

static void *steal(void *unused) {
  while (1) {
    int stolen = atomic_load_explicit(&head, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&tail, memory_order_acquire) > stolen)
      atomic_compare_exchange_strong(&head, &stolen, 1);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, steal, NULL);
  while (1) {
    atomic_store_explicit(&tail, 1, memory_order_release);
    // Take it back.
    atomic_store_explicit(&tail, 0, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (atomic_load_explicit(&head, memory_order_relaxed)) {
      int stolen = 1;
      atomic_compare_exchange_strong(&head, &stolen, 0);
    }
  }
}
