// check: sc=holds tso=holds pso=holds states=sc:57,tso:83,pso:83
// check: -DCOMPARE sc=holds tso=holds pso=holds states=sc:49,tso:49,pso:49
//
// Read-modify-writes of different sizes on the same bytes: one reads its bytes from several others, and where it
// could read some of them first it could not write any more. Each class of sources is one execution of
// --engine reads-from; 13 are allowed under sc, and 18 with COMPARE.
#include <pthread.h>
#include <stdint.h>

static union {
  uint64_t whole;
  uint16_t halves[4];
  uint8_t bytes[8];
} word;

#ifdef COMPARE
static void *first(void *unused) {
  uint16_t expected = 0;
  (void)__atomic_load_n(&word.halves[1], __ATOMIC_RELAXED);
  __atomic_compare_exchange_n(&word.halves[2], &expected, 0x303, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return unused;
}

static void *second(void *unused) {
  __atomic_fetch_add(&word.whole, UINT64_C(0x404040404040404), __ATOMIC_RELAXED);
  return unused;
}

static void *third(void *unused) {
  __atomic_fetch_add(&word.halves[1], 0x101, __ATOMIC_RELAXED);
  __atomic_exchange_n(&word.bytes[2], 4, __ATOMIC_RELAXED);
  return unused;
}
#else
static void *first(void *unused) {
  (void)__atomic_load_n(&word.halves[2], __ATOMIC_RELAXED);
  __atomic_store_n(&word.bytes[0], 2, __ATOMIC_SEQ_CST);
  return unused;
}

static void *second(void *unused) {
  __atomic_exchange_n(&word.whole, UINT64_C(0x404040404040404), __ATOMIC_RELAXED);
  return unused;
}

static void *third(void *unused) {
  __atomic_fetch_sub(&word.bytes[2], 1, __ATOMIC_RELAXED);
  __atomic_store_n(&word.whole, UINT64_C(0x303030303030303), __ATOMIC_RELAXED);
  return unused;
}
#endif

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_create(&threads[2], NULL, third, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
