// check: sc=holds tso=holds pso=holds
// check: --engine=reads-from sc=holds tso=holds pso=holds
// check: -DNEVER_NEW sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DNEVER_NEW --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// The last thread goes on if it reads two old halves of a word, or two new ones, and waits if only one is new. An engine that first meets it going on finds the two new halves
// only if it follows what others write while the thread waits, and takes each half from any of them: with either new half alone there is no execution that goes on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t halves[2];
} word;

static void *store_first(void *unused) {
  atomic_store_explicit(&word.halves[0], 1, memory_order_relaxed);
  return unused;
}

static void *store_second(void *unused) {
  atomic_store_explicit(&word.halves[1], 1, memory_order_relaxed);
  return unused;
}

static void *wait(void *unused) {
  uint64_t seen;
  do
    seen = atomic_load_explicit(&word.whole, memory_order_relaxed);
  while (seen != 0 && seen != 0x100000001);
#ifdef NEVER_NEW
  assert(seen == 0);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, store_first, NULL);
  pthread_create(&threads[1], NULL, store_second, NULL);
  pthread_create(&threads[2], NULL, wait, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
