// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=41 states=sc:18,tso:18,pso:18
// check: -DLOCKED sc=holds tso=holds pso=holds states=sc:19,tso:19,pso:19
// check: -DLOCKED -DNO_LOOK sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=41 states=sc:16,tso:16,pso:16
// check: --spurious-wakeups sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=41 states=sc:20,tso:20,pso:20
// check: -DLOCKED --spurious-wakeups sc=holds tso=holds pso=holds states=sc:23,tso:23,pso:23
//
// The lost wake-up: a signal is not remembered. Who signals without the mutex can do so when the other has looked but does not wait yet, and
// the other then waits for ever. That the flag is atomic does not help; the change must be made under the mutex (-DLOCKED), since wait
// gives it back only when it waits. Who waits without looking misses what was signalled before (-DNO_LOOK). That a thread may wake up for no
// reason is no help either: it may as well not.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef NO_LOOK
  pthread_cond_wait(&changed, &mutex);
#else
  while (!atomic_load(&ready))
    pthread_cond_wait(&changed, &mutex);
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
  atomic_store(&ready, 1);
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
  pthread_cond_signal(&changed);
  pthread_join(thread, NULL);
  return 0;
}
