// check: sc=holds tso=holds pso=holds states=sc:128,tso:114,pso:114
// check: -DREADER_WRITES sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:91,tso:65,pso:65
// check: -DTOGETHER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:86,tso:100,pso:100
// check: --races sc=holds tso=holds pso=holds states=sc:177,tso:161,pso:161
// check: -DREADER_WRITES --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:63,tso:40,pso:40
//
// Readers see both halves alike, since no writer is in between; two readers may be in at a time.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int half, other_half, readers;

static void *write_both(void *unused) {
#ifdef READER_WRITES
  pthread_rwlock_rdlock(&lock);
#else
  pthread_rwlock_wrlock(&lock);
#endif
  half++;
  other_half++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *read_both(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(half == other_half);
#ifdef TOGETHER
  assert(__atomic_fetch_add(&readers, 1, __ATOMIC_SEQ_CST) == 0);
  __atomic_fetch_sub(&readers, 1, __ATOMIC_SEQ_CST);
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, write_both, NULL);
  pthread_create(&threads[1], NULL, read_both, NULL);
  pthread_create(&threads[2], NULL, read_both, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  pthread_rwlock_destroy(&lock);
  (void)readers;
  return 0;
}
