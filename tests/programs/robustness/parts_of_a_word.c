// Each thread stores one half of a word and loads the whole: its own half it has from its buffer, the other's from memory.
// check: --robustness sc=holds tso=violated(not-robust) pso=violated(not-robust) at=17
// check: --robustness -DFENCE tso=holds pso=holds
// check: --robustness -DWHOLE tso=holds pso=holds
// optimised: differs nobody reads what was seen, so the loads are removed

#include <pthread.h>
#include <stdint.h>

static union {
  uint16_t half[2];
  uint32_t whole;
} word;
static uint32_t seen[2];
static void *work(void *argument) {
  int self = (int)(intptr_t)argument;
  word.half[self] = 1;
#ifdef FENCE
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
#ifdef WHOLE
  seen[self] = word.half[self];
#else
  seen[self] = word.whole;
#endif
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, (void *)1);
  work((void *)0);
  pthread_join(thread, NULL);
  return 0;
}
