// check: sc=unknown(clock) tso=unknown(clock) pso=unknown(clock)
// check: -DWAITS sc=unknown(clock) tso=unknown(clock)
// check: -DPOLLS sc=unknown(clock) tso=unknown(clock)
// check: -DONLY_READS_CLOCKS sc=unknown(clock)
// check: -DWRONG sc=violated(assertion) states=sc:1
// check: -DOWN sc=violated(assertion) tso=violated(assertion) states=sc:5,tso:5
// check: -DOWN -DENOUGH sc=holds tso=holds states=sc:5,tso:5
//
// Time stands still, so nothing is proved of a program that reads a clock, and a loop that waits for time to
// pass is no deadlock. A clock of the test driver decides what is read.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

#ifdef OWN
long rmc_int(long least, long most);

static time_t now;

time_t time(time_t *place) {
  now = rmc_int(now, 3);
  if (place)
    *place = now;
  return now;
}
#endif

static atomic_int done;

__attribute__((unused)) static void *finishes(void *argument) {
  done = 1;
  return argument;
}

int main(void) {
#ifdef WAITS
  time_t end = time(NULL) + 5;
  while (time(NULL) < end)
    ;
  assert(0);
#elif defined POLLS
  pthread_t thread;
  pthread_create(&thread, NULL, finishes, NULL);
  struct timespec reading;
  do
    clock_gettime(CLOCK_MONOTONIC, &reading);
  while (!done && reading.tv_sec > 0);
  pthread_join(thread, NULL);
#elif defined ONLY_READS_CLOCKS
  struct timeval day;
  while (!done && !gettimeofday(&day, NULL))
    ;
#elif defined WRONG
  assert(clock() != 0);
#elif defined OWN
  time_t first = time(NULL), second = time(NULL);
  assert(first <= second);
#ifdef ENOUGH
  assert(second - first <= 3);
#else
  assert(second - first <= 2);
#endif
#else
  assert(time(NULL) == 1704067200);
#endif
  return 0;
}
