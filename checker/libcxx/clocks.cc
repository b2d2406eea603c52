/*
 * The clocks of std::chrono. Time stands still, as in the C library, until a wait at a condition variable goes
 * past its time: headers ask the clock afterwards whether it has. A thread that is woken may find the time
 * over, too. So both clocks have gone on as far as the latest time that has been over.
 *
 * A thread that reads clocks again and again without such a wait looks for time that passes, and would never
 * find it. Such a loop would seem to wait for ever. So it is refused after more readings than the headers make
 * from one wait to the next.
 */
#include <cerrno>
#include <chrono>

#include <pthread.h>
#include <time.h>

#include "refuse.h"

extern "C" int rmc_choose(int count);
extern "C" int __rmc_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                    const timespec *until);
extern "C" int __rmc_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *until);

namespace {
/* Nanoseconds since the time at which time stands still. */
long __rmc_gone_on;
const int __rmc_most_readings = 16;
/* How often the thread has read a clock since its last wait with a time. */
thread_local int __rmc_readings;

long first_time() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

long now() {
  if (++__rmc_readings > __rmc_most_readings)
    __rmc_unsupported("a clock that a thread reads again and again: time stands still");
  return first_time() + __atomic_load_n(&__rmc_gone_on, __ATOMIC_SEQ_CST);
}

void go_on_until(const timespec *time) {
  long target = time->tv_sec * 1000000000 + time->tv_nsec - first_time();
  long reached = __atomic_load_n(&__rmc_gone_on, __ATOMIC_SEQ_CST);
  while (reached < target && !__atomic_compare_exchange_n(&__rmc_gone_on, &reached, target, false, __ATOMIC_SEQ_CST,
                                                          __ATOMIC_SEQ_CST))
    ;
}

/* The end of a wait until a time. */
int ended(int error, const timespec *until) {
  __rmc_readings = 0;
  if (error == ETIMEDOUT || (error == 0 && rmc_choose(2) == 1))
    go_on_until(until);
  return error;
}
}

std::chrono::system_clock::time_point std::chrono::system_clock::now() noexcept {
  return time_point(duration(::now()));
}

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(duration(::now()));
}

extern "C" int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                      const timespec *until) {
  return ended(__rmc_cond_clockwait(condition, mutex, clock, until), until);
}

extern "C" int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *until) {
  return ended(__rmc_cond_timedwait(condition, mutex, until), until);
}
