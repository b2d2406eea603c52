// Lamport's queue for one producer and one consumer, which never stop. Each stores its own index after the
// data, and reads the other's. A store delayed past such a read makes no difference: the other waits for it.
// check: --robustness tso=holds states=tso:51
// check: --robustness -DSLEEPS tso=violated(not-robust) states=tso:79
// check: --robustness -DSLEEPS -DFENCE tso=holds states=tso:397

#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 2

static atomic_uint head, tail;
static atomic_int slots[SLOTS], asleep;

static void *produce(void *unused) {
  for (unsigned at = 0;; at ^= 1) {
    while (atomic_load_explicit(&head, memory_order_acquire) != at)
      ;
    atomic_store_explicit(&slots[at], 1, memory_order_relaxed);
    atomic_store_explicit(&tail, at ^ 1, memory_order_release);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
#ifdef SLEEPS
    if (atomic_load_explicit(&asleep, memory_order_relaxed))
      atomic_exchange(&asleep, 0);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  for (unsigned at = 0;; at ^= 1) {
#ifdef SLEEPS
    // The consumer says that it sleeps, and looks once more before it does.
    if (atomic_load_explicit(&tail, memory_order_acquire) == at) {
      atomic_store_explicit(&asleep, 1, memory_order_relaxed);
      atomic_thread_fence(memory_order_seq_cst);
    }
#endif
    while (atomic_load_explicit(&tail, memory_order_acquire) == at)
      ;
    (void)atomic_load_explicit(&slots[at], memory_order_relaxed);
    atomic_store_explicit(&head, at ^ 1, memory_order_release);
  }
}
