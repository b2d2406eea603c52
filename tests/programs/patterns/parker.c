// check: sc=holds tso=violated(deadlock) pso=violated(deadlock) at=80 states=sc:81,tso:79,pso:79
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:81,tso:66,pso:66
// check: -DASSERTED sc=holds tso=violated(assertion) pso=violated(assertion)
// check: -DASSERTED -DFENCE sc=holds tso=holds pso=holds
// check: --engine=symbolic -DASSERTED --unroll=2 tso=violated(assertion) pso=violated(assertion)
//
// The parker of a Java virtual machine, which lost wake-ups for years: D. Dice, "A race in LockSupport park() arising from weak memory models", 2009.
// A thread that finds a permit takes it and returns at once, without the mutex. Its store that takes the permit may be in the buffer while it looks
// again at what it waits for. The other thread makes the condition true, still finds the permit, so need not signal, and grants one;
// then the late store takes that one too, and the thread waits for ever. The fence belongs between taking the permit and returning.
// With -DASSERTED a thread that begins to wait asserts that the other one may still wake it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct parker {
  pthread_mutex_t mutex;
  pthread_cond_t granted;
  atomic_int permits;  // 0 or 1
};

// One permit is left over from before.
static struct parker parker = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 1};
static atomic_int condition;

#ifdef ASSERTED
static atomic_int is_over;
#endif

static int take_permit(struct parker *p) {
  if (atomic_load_explicit(&p->permits, memory_order_relaxed) == 0)
    return 0;
  atomic_store_explicit(&p->permits, 0, memory_order_relaxed);
  return 1;
}

// Returns when there is a permit, or for no reason.
static void park(struct parker *p) {
  if (take_permit(p)) {
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    return;
  }
  if (pthread_mutex_trylock(&p->mutex) != 0)
    return;
  if (!take_permit(p)) {
#ifdef ASSERTED
    assert(!is_over);
#endif
    pthread_cond_wait(&p->granted, &p->mutex);
    take_permit(p);
  }
  pthread_mutex_unlock(&p->mutex);
}

static void unpark(struct parker *p) {
  pthread_mutex_lock(&p->mutex);
  int before = atomic_load_explicit(&p->permits, memory_order_relaxed);
  atomic_store_explicit(&p->permits, 1, memory_order_relaxed);
  pthread_mutex_unlock(&p->mutex);
  if (before == 0)
    pthread_cond_signal(&p->granted);
}

static void *waiter(void *unused) {
  while (!atomic_load_explicit(&condition, memory_order_relaxed))
    park(&parker);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waiter, NULL);
  atomic_store_explicit(&condition, 1, memory_order_relaxed);
  unpark(&parker);
#ifdef ASSERTED
  is_over = 1;
#endif
  pthread_join(thread, NULL);
  return 0;
}
