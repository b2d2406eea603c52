// check: sc=holds tso=holds pso=holds states=sc:194,tso:194,pso:194
// check: -DFORGETS sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:149,tso:149,pso:152
// check: -DCHANGED sc=holds tso=holds pso=holds states=sc:105,tso:105,pso:105
//
// Two threads wait at one word; one is woken and the other moved to another word, where it is woken or not.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t first, second;
static atomic_int awake;

static void *wait_at_first(void *unused) {
  (void)unused;
  syscall(SYS_futex, &first, FUTEX_WAIT_PRIVATE, 0, NULL);
  atomic_fetch_add(&awake, 1);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, wait_at_first, NULL);
#ifdef CHANGED
  first = 1;
  assert(syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &second, 0) == -1 && errno == EAGAIN);
  assert(syscall(SYS_futex, &first, FUTEX_REQUEUE, -1, 1, &second) == -1 && errno == EINVAL);
  syscall(SYS_futex, &first, FUTEX_WAKE_PRIVATE, 2);
#else
  long moved = syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE_PRIVATE, 1, 1, &second, 0);
  assert(moved >= 0 && moved <= 2);
  /* Who comes now does not wait. */
  first = 1;
  assert(moved < 2 || awake < 2);
#ifndef FORGETS
  syscall(SYS_futex, &second, FUTEX_WAKE_PRIVATE, 1);
#endif
  /* Who had begun to wait between the two is woken here. */
  syscall(SYS_futex, &first, FUTEX_WAKE_PRIVATE, 2);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(awake == 2);
  return 0;
}
