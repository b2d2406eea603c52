// check: sc=holds tso=holds pso=holds states=sc:15,tso:15,pso:15
// check: -DPREFER_WRITERS sc=refused(writers) tso=refused(writers) pso=refused(writers)
// check: -DREAD_WHILE_WRITING sc=violated(relock) tso=violated(relock) pso=violated(relock) at=54 states=sc:5,tso:5,pso:5
// check: -DWRITE_WHILE_READING sc=violated(relock) tso=violated(relock) pso=violated(relock) at=58 states=sc:5,tso:5,pso:5
// check: -DUNLOCK_OF_OTHERS sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held) at=26 states=sc:5,tso:5,pso:5
// check: -DDESTROY_HELD sc=violated(destroy-held) tso=violated(destroy-held) pso=violated(destroy-held) at=63 states=sc:5,tso:5,pso:5
// check: -DNEVER_INITIALISED sc=violated(uninitialised-sync) tso=violated(uninitialised-sync) pso=violated(uninitialised-sync) at=30 states=sc:5,tso:5,pso:5
//
// What the functions of reader-writer locks answer, and their misuse.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;
static const struct timespec soon = {1, 0};

static void *other(void *writing) {
  assert(pthread_rwlock_tryrdlock(&lock) == (writing ? EBUSY : 0));
  if (!writing)
    pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedwrlock(&lock, &soon) == ETIMEDOUT);
#ifdef UNLOCK_OF_OTHERS
  pthread_rwlock_unlock(&lock);
#endif
#ifdef NEVER_INITIALISED
  pthread_rwlock_t another;
  pthread_rwlock_rdlock(&another);
#endif
  return NULL;
}

static void check(void *writing) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, writing);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
#ifdef PREFER_WRITERS
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  assert(pthread_rwlock_init(&lock, &attributes) == 0);
  pthread_rwlockattr_destroy(&attributes);
  pthread_rwlock_wrlock(&lock);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_trywrlock(&lock) == EBUSY);
  assert(pthread_rwlock_timedrdlock(&lock, &soon) == ETIMEDOUT);
  check(&lock);
#ifdef READ_WHILE_WRITING
  pthread_rwlock_rdlock(&lock);
#endif
  pthread_rwlock_unlock(&lock);
#ifdef WRITE_WHILE_READING
  pthread_rwlock_rdlock(&lock), pthread_rwlock_wrlock(&lock);
#endif
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
#ifdef DESTROY_HELD
  pthread_rwlock_destroy(&lock);
#endif
  check(NULL);
  pthread_rwlock_unlock(&lock);
  check(NULL);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
