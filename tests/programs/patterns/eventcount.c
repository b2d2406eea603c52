// check: sc=holds tso=violated(deadlock) pso=violated(deadlock) at=73 states=sc:71,tso:58,pso:58
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:71,tso:74,pso:74
// check: -DFENCE -DNO_SECOND_LOOK sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=73 states=sc:43,tso:44,pso:44
// check: -DFENCE -DNO_EPOCH sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=73 states=sc:68,tso:71,pso:71
//
// An event count lets a thread wait for a condition that lock-free code makes true: D. P. Reed and R. K. Kanodia, "Synchronization with eventcounts and
// sequencers", CACM 22(2), 1979; with waiters counted, so that notifying nobody costs one load, as in D. Vyukov's version.
// A waiter registers, notes the epoch, looks at the condition again, and sleeps unless the epoch has changed. The notifier has made the condition
// true and then looks for waiters. That store and that load need a full fence between them; the waiter's is the atomic increment. Without
// the second look (-DNO_SECOND_LOOK), or without the epoch (-DNO_EPOCH), a notification between look and sleep is lost.
#include <pthread.h>
#include <stdatomic.h>

struct eventcount {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  atomic_uint epoch, waiters;
};

static struct eventcount event = {.mutex = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER};
static atomic_int condition;

static unsigned prepare(struct eventcount *e) {
  atomic_fetch_add(&e->waiters, 1);
  return atomic_load(&e->epoch);
}

static void commit(struct eventcount *e, unsigned seen) {
  pthread_mutex_lock(&e->mutex);
#ifdef NO_EPOCH
  (void)seen;
  pthread_cond_wait(&e->moved, &e->mutex);
#else
  while (atomic_load(&e->epoch) == seen)
    pthread_cond_wait(&e->moved, &e->mutex);
#endif
  pthread_mutex_unlock(&e->mutex);
}

static void notify(struct eventcount *e) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (atomic_load_explicit(&e->waiters, memory_order_relaxed) == 0)
    return;
  pthread_mutex_lock(&e->mutex);
  atomic_fetch_add(&e->epoch, 1);
  pthread_mutex_unlock(&e->mutex);
  pthread_cond_broadcast(&e->moved);
}

static int is_true(void) { return atomic_load_explicit(&condition, memory_order_acquire); }

static void *waiter(void *unused) {
  while (!is_true()) {
    unsigned seen = prepare(&event);
#ifdef NO_SECOND_LOOK
    commit(&event, seen);
#else
    if (!is_true())
      commit(&event, seen);
#endif
    atomic_fetch_sub(&event.waiters, 1);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store_explicit(&condition, 1, memory_order_release);
  notify(&event);
  pthread_join(thread, NULL);
  return 0;
}
