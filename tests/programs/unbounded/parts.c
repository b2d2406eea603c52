// Stores to halves of a word, for ever, and loads of the whole: from the buffer in one half and from memory
// in the other. That load counts as a load from memory.
// check: --robustness tso=violated(not-robust) states=tso:58
// check: --robustness -DFENCE tso=holds states=tso:102
// check: --robustness -DOWN tso=holds states=tso:75

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint32_t whole;
  _Atomic uint16_t half[2];
} word;

static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  for (uint16_t next = 0;; next ^= 1) {
    atomic_store_explicit(&word.half[self], next, memory_order_relaxed);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
#ifdef OWN
    (void)atomic_load_explicit(&word.half[self], memory_order_relaxed);
#else
    (void)atomic_load_explicit(&word.whole, memory_order_relaxed);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work((void *)0);
  return 0;
}
