// check: sc=holds tso=holds pso=holds states=sc:81,tso:81,pso:106
// check: -DNO_CHECK sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:106,tso:106,pso:132
// check: -DONE sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:84,tso:84,pso:109
// check: -DWAKE_OP sc=refused(operation) tso=refused(operation) pso=refused(operation)
// check: -DTHREE_STATES sc=holds tso=holds pso=holds states=sc:1502,tso:1141,pso:1216
//
// Waiting for a flag with Linux's futex. The kernel compares the word and goes to sleep in one step, which a wait for another value gives away.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int flag, counter, mutex;

static long wait_for(int *word, int expected) { return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0); }

static long wake(int *word, int most) { return syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most); }

static void *waits(void *unused) {
#ifdef NO_CHECK
  wait_for(&flag, __atomic_load_n(&flag, __ATOMIC_SEQ_CST));
#else
  while (__atomic_load_n(&flag, __ATOMIC_SEQ_CST) == 0)
    wait_for(&flag, 0);
#endif
  return unused;
}

static void lock(void) {
  int free = 0;
  if (__atomic_compare_exchange_n(&mutex, &free, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return;
  while (__atomic_exchange_n(&mutex, 2, __ATOMIC_SEQ_CST) != 0)
    wait_for(&mutex, 2);
}

static void unlock(void) {
  if (__atomic_exchange_n(&mutex, 0, __ATOMIC_SEQ_CST) == 2)
    wake(&mutex, 1);
}

static void *count(void *unused) {
  lock();
  counter++;
  unlock();
  return unused;
}

int main(void) {
  pthread_t threads[2];
#ifdef THREE_STATES
  pthread_create(&threads[0], NULL, count, NULL);
  pthread_create(&threads[1], NULL, count, NULL);
  count(NULL);
#else
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, waits, NULL);
  __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
#ifdef ONE
  wake(&flag, 1);
#else
  long woken = wake(&flag, 2);
  assert(woken >= 0 && woken <= 2);
#endif
#endif
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#ifdef THREE_STATES
  assert(counter == 3);
#endif
  struct timespec soon = {0, 1};
  flag = 1;
  assert(wait_for(&flag, 0) == -1 && errno == EAGAIN);
  assert(syscall(SYS_futex, &flag, FUTEX_WAIT, 1, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
  assert(syscall(SYS_gettid) == gettid());
#ifdef WAKE_OP
  syscall(SYS_futex, &flag, FUTEX_WAKE_OP, 1, NULL, &counter, 0);
#endif
  return 0;
}
