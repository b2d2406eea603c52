// check: sc=holds tso=holds pso=holds states=sc:116,tso:213,pso:213
// executions: sc=31 tso=31 pso=31
// executions: --keep-going sc=87 tso=87 pso=87
//
// Accesses of several sizes to the same bytes, and a thread that nobody waits for. An execution is missed if what is planned leaves out all that does not happen before the event that is to come
// earlier: one in which the second thread's exchange comes between the first one's store and the first thread's end, and its next store before main's, which all comes before the process ends. That
// is one of the 87 in which the process may end at every moment, as it may where final states are asked for.
#include <pthread.h>
#include <stdint.h>

_Alignas(8) unsigned char cells[8];
static pthread_t first, second;

static void *store_and_look(void *unused) {
  __atomic_store_n((uint64_t *)cells, 0x0202020202020202, __ATOMIC_RELAXED);
  (void)__atomic_load_n(cells + 2, __ATOMIC_ACQUIRE);
  return unused;
}

static void *exchange(void *unused) {
  uint64_t expected = 0x0202020202020202;
  __atomic_compare_exchange_n((uint64_t *)cells, &expected, 0x0101010101010101, 1, __ATOMIC_RELAXED, __ATOMIC_ACQUIRE);
  __atomic_store_n((uint32_t *)(cells + 4), 0x02020202, __ATOMIC_SEQ_CST);
  __atomic_store_n((uint32_t *)cells, (uint32_t)expected, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_create(&first, NULL, store_and_look, NULL);
  pthread_create(&second, NULL, exchange, NULL);
  __atomic_store_n((uint16_t *)(cells + 4), 0x0101, __ATOMIC_RELEASE);
  pthread_join(first, NULL);
  return 0;
}
