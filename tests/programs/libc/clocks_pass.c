// check: --clocks=pass sc=holds tso=holds pso=holds states=sc:22,tso:16,pso:16
// check: --clocks=pass -DEQUAL sc=violated(assertion) tso=violated(assertion) states=sc:25,tso:19
// check: --clocks=pass -DLATER sc=violated(assertion) tso=violated(assertion) states=sc:26,tso:20
// check: --clocks=pass -DSOON sc=violated(assertion) pso=violated(assertion) states=sc:24,pso:18
// check: --clocks=pass -DLOOPS sc=holds tso=holds states=sc:85,tso:85
// check: --clocks=pass -DLOOPS -DLATE sc=violated(assertion) tso=violated(assertion) states=sc:9,tso:9
// check: --clocks=pass -DUNORDERED sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:54,tso:36,pso:36
// check: --clocks=pass -DSLEEPS sc=holds tso=holds states=sc:16,tso:16
// check: --clocks=pass -DPOLLS sc=violated(assertion) states=sc:11
// check: --clocks=pass -DPROCESSOR sc=unknown(time)
// check: --clocks=pass -DTIMED sc=holds states=sc:1
// check: --clocks=pass -DTIMED -DNO_CLOCK sc=holds tso=holds states=sc:1,tso:1
// check: -DLOOPS sc=unknown(clock)
//
// Clocks that pass go on by any amount between two readings, never back, and for all threads alike. A loop
// that waits for a time ends, and has finitely many states. A reading orders no stores. What other clocks say
// is not explored. Sleeps and waits are in clocks_waits.c.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int ready;
static struct timespec first;

__attribute__((unused)) static int is_before(struct timespec a, struct timespec b) {
  return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
}

#ifdef UNORDERED
static int x, y, seen[2];

static void *other(void *argument) {
  y = 1;
  time(NULL);
  seen[1] = x;
  return argument;
}
#else
static void *other(void *argument) {
  struct timespec now;
  if (ready) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    assert(!is_before(now, first));
#ifdef EQUAL
    assert(!is_before(first, now));
#endif
#ifdef LATER
    assert(is_before(first, now));
#endif
#ifdef SOON
    assert(now.tv_sec - first.tv_sec < 100);
#endif
  }
  return argument;
}
#endif

int main(void) {
#if defined LOOPS
  pthread_t thread;
  struct timespec end, now;
  pthread_create(&thread, NULL, other, NULL);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 2;
  int is_late = 0;
  while (!is_late) {
    clock_gettime(CLOCK_REALTIME, &now);
    is_late = !is_before(now, end);
#ifdef LATE
    assert(!is_late);
#endif
  }
  assert(time(NULL) >= end.tv_sec);
#elif defined SLEEPS
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
  usleep(1000);
#elif defined POLLS
  clock_gettime(CLOCK_REALTIME, &first);
  poll(NULL, 0, 1);
  assert(time(NULL) != first.tv_sec);
#elif defined PROCESSOR
  struct timespec worked;
  clock_gettime(CLOCK_REALTIME, &first);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &worked);
  assert(is_before(first, worked));
#elif defined TIMED
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct timespec end = {0, 0};
#ifndef NO_CLOCK
  clock_gettime(CLOCK_REALTIME, &end);
#endif
  pthread_mutex_lock(&lock);
  assert(pthread_mutex_timedlock(&lock, &end) != 0);
  return 0;
#else
  pthread_t thread;
  pthread_create(&thread, NULL, other, NULL);
#ifdef UNORDERED
  x = 1;
  time(NULL);
  seen[0] = y;
#else
  clock_gettime(CLOCK_REALTIME, &first);
  ready = 1;
#endif
#endif
#if !defined TIMED && !defined POLLS && !defined PROCESSOR
  pthread_join(thread, NULL);
#endif
#ifdef UNORDERED
  assert(seen[0] || seen[1]);
#endif
  return 0;
}
