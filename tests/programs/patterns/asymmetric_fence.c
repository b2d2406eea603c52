// check: sc=holds tso=holds pso=holds states=sc:58,tso:78,pso:78
// check: -DNO_BARRIER sc=holds tso=violated(assertion) pso=violated(assertion) at=54 states=sc:42,tso:56,pso:56
// check: -DNOT_REGISTERED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=38 states=sc:10,tso:10,pso:10
// check: --races sc=refused(membarrier) tso=refused(membarrier) pso=refused(membarrier)
//
// Dekker's entry with the fence on one side only: the frequent thread has none, the rare one makes every thread have one
// by Linux's membarrier. Source: Paul E. McKenney, Mathieu Desnoyers and others, the manual page membarrier(2).
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int wants[2];
static int seen[2];

static void store(atomic_int *at) {
  atomic_store_explicit(at, 1, memory_order_relaxed);
}

static int load(atomic_int *at) {
  return atomic_load_explicit(at, memory_order_relaxed);
}

static void *frequent(void *unused) {
  store(&wants[0]);
  seen[0] = load(&wants[1]);
  return unused;
}

static void *rare(void *unused) {
  store(&wants[1]);
#ifdef NO_BARRIER
  atomic_thread_fence(memory_order_seq_cst);
#else
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == 0);
#endif
  seen[1] = load(&wants[0]);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
#ifndef NOT_REGISTERED
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0);
#endif
  pthread_create(&threads[0], NULL, frequent, NULL);
  pthread_create(&threads[1], NULL, rare, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen[0] || seen[1]);
  return 0;
}
