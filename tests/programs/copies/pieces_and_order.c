// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWITHOUT_COPY sc=holds tso=holds pso=violated(assertion)
//
// The pieces of a copy reach memory in any order: the last one may be seen, and then `started` as it was,
// before another thread starts and sees the first one as it was. With single stores, which TSO keeps in
// order, that thread would have to come first.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static volatile char bytes[32];
static int started, is_old, is_new, is_early;

static void *write_bytes(void *unused) {
#ifdef WITHOUT_COPY
  bytes[0] = 1;
  bytes[17] = 1;
#else
  memset((char *)bytes, 1, sizeof bytes);
#endif
  return unused;
}

static void *start(void *unused) {
  __atomic_exchange_n(&started, 1, __ATOMIC_SEQ_CST);
  is_old = bytes[0] == 0;
  return unused;
}

static void *look(void *unused) {
  is_new = bytes[17] == 1;
  is_early = __atomic_load_n(&started, __ATOMIC_SEQ_CST) == 0;
  return unused;
}

int main(void) {
  static void *(*const bodies[])(void *) = {start, write_bytes, look};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(!(is_old && is_new && is_early));
  return 0;
}
