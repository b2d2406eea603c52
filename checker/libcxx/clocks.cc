/*
 * The clocks of std::chrono. Where clocks pass, they go on as they like: `system/library/clock.rs`. Else time
 * stands still, as in the C library, until a sleep or a wait at a condition variable goes past its time:
 * headers ask the clock afterwards whether it has. A thread that is woken may find the time over, too. So
 * both clocks have gone on as far as the latest time that has been over.
 *
 * The headers of condition variables, timed mutexes and futures compare the clock with the end of a wait
 * only, so for them this is all that time does. What others do with a reading is left out where time passes,
 * and the reading says so.
 */
#include <cerrno>
#include <chrono>

#include <pthread.h>
#include <time.h>

extern "C" int rmc_choose(int count);
extern "C" long __rmc_first_second(void);
extern "C" void __rmc_read_count(long *last, long *now);
extern "C" void __rmc_reach_count(long *last, const long *until);
extern "C" int __rmc_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                    const timespec *until);
extern "C" int __rmc_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const timespec *until);

/* The last reading where clocks pass, in nanoseconds since the first one (libc/time.c). */
extern "C" long __rmc_last_count;

namespace {
long first_time() {
  return __rmc_first_second() * 1000000000;
}

long now() {
  long now;
  __rmc_read_count(&__rmc_last_count, &now);
  return first_time() + now;
}

void go_on_until(const timespec *time) {
  long target = time->tv_sec * 1000000000 + time->tv_nsec - first_time();
  __rmc_reach_count(&__rmc_last_count, &target);
}

/* False for a time to which no clock comes, as waits have it: NEVER in system/library/clock.rs. */
bool comes(const timespec *time) {
  return time->tv_sec < __rmc_first_second() + 20 * 3660 * 86400L;
}

/* The end of a wait until a time. */
int ended(int error, const timespec *until) {
  if (error == ETIMEDOUT || (error == 0 && rmc_choose(2) == 1 && comes(until)))
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
