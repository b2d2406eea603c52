// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
// check: -DSOCKET sc=refused(41) tso=refused(41) pso=refused(41)
//
// Numbers of the process and its threads, and sleeps that return at once.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pid_t other;

static void *work(void *unused) {
  other = gettid();
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timespec time = {0, 5};
  pthread_create(&thread, NULL, work, NULL);
  assert(sched_yield() == 0 && sleep(1) == 0 && usleep(1) == 0);
  assert(nanosleep(&time, NULL) == 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL) == 0);
  pthread_join(thread, NULL);
  assert(gettid() == getpid() && other != gettid() && other > 0 && getppid() != getpid());
#ifdef SOCKET
  syscall(SYS_socket, 1, 2, 3);
#endif
  return 0;
}
