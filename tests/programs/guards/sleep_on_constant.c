// check: --reduce=all sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=27 states=sc:10,tso:10,pso:10
//
// Threads sleep at a word that nobody writes: to sleep and to wake are ordered though the word is only read.
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int flag;
static int word;

static void *sleeps(void *unused) {
  atomic_store(&flag, 1);
  syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeps, NULL);
  while (!atomic_load(&flag))
    ;
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(thread, NULL);
  return 0;
}
