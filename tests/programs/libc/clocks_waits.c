// check: --clocks=pass sc=holds tso=holds pso=holds states=sc:112,tso:112,pso:129
// check: --clocks=pass -DMORE sc=violated(assertion) tso=violated(assertion) states=sc:56,tso:56
// check: --clocks=pass -DWAIT=1 sc=holds tso=holds states=sc:110,tso:110
// check: --clocks=pass -DWAIT=1 -DMORE sc=violated(assertion) states=sc:76
// check: --clocks=pass -DWAIT=2 sc=holds pso=holds states=sc:58,pso:72
// check: --clocks=pass -DWAIT=2 -DMORE sc=violated(assertion) states=sc:22
// check: --clocks=pass -DWAIT=3 sc=holds tso=holds states=sc:168,tso:168
// check: --clocks=pass -DWAIT=3 -DMORE sc=violated(assertion) states=sc:93
// check: --clocks=pass -DWAIT=4 sc=holds tso=holds states=sc:84,tso:84
// check: --clocks=pass -DWAIT=4 -DMORE sc=violated(assertion) states=sc:40
// check: --clocks=pass -DWAIT=5 sc=holds states=sc:68
// check: --clocks=pass -DWAIT=5 -DMORE sc=violated(assertion) states=sc:29
// check: --clocks=pass -DWAIT=6 sc=holds states=sc:112
// check: --clocks=pass -DWAIT=6 -DMORE sc=violated(assertion) states=sc:56
// check: --clocks=pass -DWAIT=7 sc=holds states=sc:323
// check: --clocks=pass -DWAIT=8 sc=holds states=sc:960
// check: --clocks=pass -DWAIT=9 sc=unknown(time)
// check: -DWAIT=9 sc=unknown(clock)
//
// When a sleep ends, or a wait because its time is over, clocks have gone on as far, and perhaps farther. A
// loop of sleeps has finitely many states. No clock goes on for a hundred years.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef WAIT
#define WAIT 0
#endif

static atomic_int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static struct timespec now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

static int is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

static struct timespec later(struct timespec time, long nanoseconds) {
  time.tv_nsec += nanoseconds;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec++;
  }
  return time;
}

static void *other(void *argument) {
  if (WAIT == 8)
    while (!done)
      sleep(1 + (time(NULL) == 0));
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&lock);
  return argument;
}

/* Waits for 5 ms. The result is false if something came before. */
static int waits(struct timespec begin) {
  struct timespec end = later(begin, 5000000), span = {0, 5000000};
  (void)end, (void)span;
#if WAIT == 0
  errno = ERANGE;
  int status = nanosleep(&span, NULL);
  assert(errno == ERANGE);
  return status == 0;
#elif WAIT == 1
  pthread_mutex_lock(&lock);
  int error = 0;
  while (!done && error == 0)
    error = pthread_cond_clockwait(&condition, &lock, CLOCK_MONOTONIC, &end);
  pthread_mutex_unlock(&lock);
  return error == ETIMEDOUT;
#elif WAIT == 2
  sem_t never;
  sem_init(&never, 0, 0);
  return sem_timedwait(&never, &end) == -1 && errno == ETIMEDOUT;
#elif WAIT == 3
  return syscall(SYS_futex, &done, FUTEX_WAIT, 0, &span) == -1 && errno == ETIMEDOUT;
#elif WAIT == 4
  return syscall(SYS_futex, &done, FUTEX_WAIT_BITSET, 0, &end, NULL, 1) == -1 && errno == ETIMEDOUT;
#elif WAIT == 5
  return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == 0;
#elif WAIT == 6
  return poll(NULL, 0, 5) == 0;
#elif WAIT == 7
  return usleep(1000) == 0 && clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL) == 0;
#elif WAIT == 8
  sleep(3);
  done = 1;
  return 1;
#else
  struct timespec century = {3155760000, 0};
  return nanosleep(&century, NULL) == 0;
#endif
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  struct timespec begin = now();
  if (waits(begin)) {
    struct timespec end = now();
    assert(!is_before(end, later(begin, WAIT == 7 ? 6000000 : 5000000)));
#ifdef MORE
    assert(!is_before(end, later(begin, 6000000)));
#endif
  }
  pthread_join(thread, NULL);
  return 0;
}
