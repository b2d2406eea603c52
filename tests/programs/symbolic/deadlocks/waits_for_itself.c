// check: -DNORMAL sc=violated(relock) tso=violated(relock) pso=violated(relock)
// check: --engine=symbolic -DNORMAL sc=violated(relock) tso=violated(relock) pso=violated(relock)
// check: -DRECURSIVE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DRECURSIVE sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DERRORCHECK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DERRORCHECK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DREADER sc=violated(relock) tso=violated(relock) pso=violated(relock)
// check: --engine=symbolic -DREADER sc=violated(relock) tso=violated(relock) pso=violated(relock)
// check: -DSELF sc=violated(join-self) tso=violated(join-self) pso=violated(join-self)
// check: --engine=symbolic -DSELF sc=violated(join-self) tso=violated(join-self) pso=violated(join-self)
//
// A thread takes a lock that it has, if another thread said so; or it waits for its own end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int again;

static void *work(void *unused) {
#if defined READER
  pthread_rwlock_rdlock(&lock);
  if (again)
    pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
#elif defined SELF
  if (again)
    pthread_join(pthread_self(), 0);
#else
  pthread_mutex_lock(&mutex);
  if (again) {
    int error = pthread_mutex_lock(&mutex);
    assert(error == 0);
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
#if defined RECURSIVE
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
#elif defined ERRORCHECK
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
#endif
  pthread_mutex_init(&mutex, &kind);
  pthread_create(&thread, 0, work, 0);
  again = 1;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
