// check: sc=holds tso=holds pso=holds states=sc:38,tso:38,pso:38
// check: --engine=dpor -DOUTCOME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor-source -DOUTCOME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// executions: sc=5 tso=5 pso=5
//
// The compare-exchange fails after the addition, and stores before it. Planned before the addition as what it was after it, a load, it seems to commute with the
// load of main, so that everything with the two in this order seems to be known.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
  uint64_t whole;
  uint8_t bytes[8];
} word;
static int stored;

static void *add(void *unused) {
  __atomic_fetch_add(&word.bytes[7], 3, __ATOMIC_SEQ_CST);
  return unused;
}

static void *exchange(void *unused) {
  uint64_t expected = 0;
  __atomic_store_n(&word.bytes[7], 0, __ATOMIC_RELAXED);
  stored = __atomic_compare_exchange_n(&word.whole, &expected, 0x0101010101010101, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t adds, exchanges;
  pthread_create(&adds, NULL, add, NULL);
  pthread_create(&exchanges, NULL, exchange, NULL);
  int seen = __atomic_load_n(&word.bytes[4], __ATOMIC_SEQ_CST);
  pthread_join(adds, NULL);
  pthread_join(exchanges, NULL);
#ifdef OUTCOME
  assert(!(seen == 0 && stored && word.bytes[7] == 4));
#endif
  (void)seen;
  return 0;
}
