// A producer that announces values for ever, and a consumer that looks now and then. The producer reads
// nothing, so it may delay as much as it likes. If it looks whether it should stop, its stores can be delayed
// past that look, but only with a consumer that says so and then looks for what is new does that make a
// difference.
// check: --engine=explicit --buffer-bound=4 tso=unknown(buffer-bound)
// check: --robustness tso=holds states=tso:213
// check: --robustness -DSTOP tso=holds states=tso:188
// check: --robustness -DSTOP -DANSWER tso=violated(not-robust) at=25
// check: --robustness -DSTOP -DANSWER -DFENCE tso=holds states=tso:140

#include <pthread.h>
#include <stdatomic.h>

static atomic_int value, stop;

static void *produce(void *unused) {
  for (int next = 0;; next = (next + 1) % 4) {
#ifdef STOP
    if (atomic_load_explicit(&stop, memory_order_relaxed))
      break;
#endif
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&value, next, memory_order_release);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  int seen = 0;
  while (seen < 3) {
#ifdef ANSWER
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
#endif
    seen = atomic_load_explicit(&value, memory_order_acquire);
#ifdef ANSWER
    break;
#endif
  }
#if defined(STOP) && !defined(ANSWER)
  atomic_store_explicit(&stop, 1, memory_order_relaxed);
#endif
  return 0;
}
