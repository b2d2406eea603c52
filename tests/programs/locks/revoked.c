// check: sc=holds tso=holds pso=holds
// check: -DNO_BARRIER sc=holds tso=violated(assertion) pso=violated(assertion) at=37
// check: -DNO_SECOND_LOOK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=37
//
// A lock that its owner takes without a fence, until another thread revokes that: membarrier is the fence of
// the owner's entry. After Dave Dice, Hui Huang, Mingyao Yang, "Asymmetric Dekker Synchronization", 2001. The
// owner gives itself the fast way back when it has the lock in the slow way.
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t others = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_inside, is_revoked;
static int inside, entries;

static bool is_set(atomic_bool *flag, memory_order order) {
  return atomic_load_explicit(flag, order);
}

static void set(atomic_bool *flag, bool value, memory_order order) {
  atomic_store_explicit(flag, value, order);
}

static void barrier(void) {
#ifndef NO_BARRIER
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
#endif
}

static void use(void) {
  assert(inside++ == 0);
  entries++;
  inside--;
}

static void *owner(void *unused) {
  for (int i = 0; i < 2; i++) {
    set(&is_inside, true, memory_order_relaxed);
#ifdef NO_SECOND_LOOK
    bool is_fast = i == 0;
#else
    bool is_fast = !is_set(&is_revoked, memory_order_acquire);
#endif
    if (is_fast) {
      use();
      set(&is_inside, false, memory_order_release);
      continue;
    }
    set(&is_inside, false, memory_order_release);
    pthread_mutex_lock(&others);
    set(&is_revoked, false, memory_order_relaxed);
    use();
    pthread_mutex_unlock(&others);
  }
  return unused;
}

static void *other(void *unused) {
  pthread_mutex_lock(&others);
  if (!is_set(&is_revoked, memory_order_relaxed)) {
    set(&is_revoked, true, memory_order_relaxed);
    barrier();
    while (is_set(&is_inside, memory_order_acquire))
      sched_yield();
  }
  use();
  pthread_mutex_unlock(&others);
  return unused;
}

int main(void) {
  syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, owner, NULL);
  pthread_create(&threads[1], NULL, other, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(entries == 3);
  return 0;
}
