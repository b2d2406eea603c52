/*
 * time.h: the first second of 2024, in UTC, so that states of programs that look at clocks can match. Either
 * time stands still there but for sleeps and waits, and each reading says that what programs do when time
 * passes is left out, or it goes on as it likes: `system/library/clock.rs`. The clock of the process is at 0.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

_Noreturn void __rmc_unsupported(const char *what);
void __rmc_read_clock(void);
void __rmc_let_time_pass(void);
void __rmc_read_time(struct timespec *last, struct timespec *now);
/* A reading that the program does not see. */
void __rmc_hidden_time(struct timespec *last, struct timespec *now);
void __rmc_hidden_count(long *last, long *now);
/* A reading that the program does not see, not before a time. */
void __rmc_reach_time(struct timespec *last, const struct timespec *until);
void __rmc_reach_count(long *last, const long *until);
/* The kinds of clocks that the program reads. */
int __rmc_clocks_read(void);
int __rmc_sleep(void);

#define NOW 1704067200L
#define DAY 86400L
/* Nanoseconds in a second. */
#define BILLION 1000000000L

/* The second at which time stands still, for the support library itself. */
long __rmc_first_second(void) {
  return NOW;
}

/* The last reading, which only the model of clocks accesses; before there is one, it has no nanoseconds. */
static struct timespec __rmc_last_reading = {NOW, -1};
/* The same for the clocks of C++ (libcxx/clocks.cc): nanoseconds since the first reading. */
long __rmc_last_count;

static struct timespec support_now(void) {
  struct timespec now;
  __rmc_read_time(&__rmc_last_reading, &now);
  return now;
}

/* Bits of __rmc_clocks_read: the clocks of this library, and of C++. */
enum { SECONDS = 1, COUNTS = 2 };

/* A time and a duration, of which one may be an input. */
struct timespec __rmc_time_after(struct timespec time, struct timespec duration) {
  struct timespec sum = {time.tv_sec + duration.tv_sec, time.tv_nsec + duration.tv_nsec};
  if (sum.tv_nsec >= BILLION) {
    sum.tv_nsec -= BILLION;
    sum.tv_sec++;
  }
  return sum;
}

/* The time at which a wait with this duration ends, in a program that reads clocks; else no time. */
struct timespec __rmc_end_of_wait(struct timespec duration) {
  if (!(__rmc_clocks_read() & SECONDS))
    return duration;
  struct timespec now;
  __rmc_hidden_time(&__rmc_last_reading, &now);
  return __rmc_time_after(now, duration);
}

/*
 * Sleeping. It ends when clocks have gone on by the duration; as a system call it is a fence. Programs that
 * read no clocks get the model, which is only that.
 */
static int support_sleep(struct timespec duration) {
  if (duration.tv_sec < 0 || duration.tv_nsec < 0 || duration.tv_nsec >= BILLION)
    return EINVAL;
  int kinds = __rmc_clocks_read();
  /* No clock goes on for so long. */
  if (kinds && duration.tv_sec >= 3660 * DAY)
    __rmc_let_time_pass();
  __rmc_sleep();
  if (kinds & SECONDS) {
    struct timespec end = __rmc_end_of_wait(duration);
    __rmc_reach_time(&__rmc_last_reading, &end);
  }
  if (kinds & COUNTS) {
    long end;
    __rmc_hidden_count(&__rmc_last_count, &end);
    end += duration.tv_sec * BILLION + duration.tv_nsec;
    __rmc_reach_count(&__rmc_last_count, &end);
  }
  return 0;
}

unsigned sleep(unsigned seconds) {
  support_sleep((struct timespec){seconds, 0});
  return 0;
}

int usleep(useconds_t microseconds) {
  support_sleep((struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000L});
  return 0;
}

int nanosleep(const struct timespec *duration, struct timespec *left) {
  (void)left;
  return with_errno(support_sleep(*duration));
}

int thrd_sleep(const struct timespec *duration, struct timespec *left) {
  (void)left;
  return support_sleep(*duration) ? -2 : 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  (void)clock;
  (void)left;
  if (!(flags & TIMER_ABSTIME))
    return support_sleep(*time);
  if (time->tv_nsec < 0 || time->tv_nsec >= BILLION)
    return EINVAL;
  int kinds = __rmc_clocks_read();
  __rmc_sleep();
  if (kinds & SECONDS)
    __rmc_reach_time(&__rmc_last_reading, time);
  if (kinds & COUNTS)
    __rmc_let_time_pass();
  return 0;
}

time_t time(time_t *place) {
  time_t now = support_now().tv_sec;
  if (place)
    *place = now;
  return now;
}

clock_t clock(void) {
  __rmc_read_clock();
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *place) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_MONOTONIC:
  case CLOCK_BOOTTIME:
    *place = support_now();
    return 0;
  default:
    /* Time that a processor worked, or clocks that are read late. */
    __rmc_read_clock();
    *place = (struct timespec){NOW, 0};
    return 0;
  }
}

int clock_getres(clockid_t clock, struct timespec *place) {
  (void)clock;
  if (place)
    *place = (struct timespec){0, 1};
  return 0;
}

int timespec_get(struct timespec *place, int base) {
  *place = support_now();
  return base;
}

int gettimeofday(struct timeval *restrict place, void *restrict zone) {
  (void)zone;
  struct timespec now = support_now();
  *place = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

double difftime(time_t late, time_t early) {
  return (double)(late - early);
}

static int support_is_leap(long year) {
  return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days before the first of January of a year, counted from 1970. */
static long support_days_before(long year) {
  long before = year - 1;
  long leaps = (before >= 0 ? before / 4 : (before - 3) / 4) - (before >= 0 ? before / 100 : (before - 99) / 100) +
               (before >= 0 ? before / 400 : (before - 399) / 400);
  return (year - 1970) * 365 + leaps - 477;
}

static int support_month_length(long year, int month) {
  static const char __rmc_lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return __rmc_lengths[month] + (month == 1 && support_is_leap(year));
}

struct tm *gmtime_r(const time_t *restrict from, struct tm *restrict to) {
  long days = *from / DAY, rest = *from % DAY;
  if (rest < 0) {
    rest += DAY;
    days--;
  }
  long year = 1970 + days / 366;
  while (support_days_before(year) > days)
    year--;
  while (support_days_before(year + 1) <= days)
    year++;
  int day = (int)(days - support_days_before(year)), month = 0, left = day;
  while (left >= support_month_length(year, month))
    left -= support_month_length(year, month++);
  *to = (struct tm){
    .tm_sec = (int)(rest % 60),
    .tm_min = (int)(rest / 60 % 60),
    .tm_hour = (int)(rest / 3600),
    .tm_mday = left + 1,
    .tm_mon = month,
    .tm_year = (int)(year - 1900),
    .tm_wday = (int)(((days + 4) % 7 + 7) % 7),
    .tm_yday = day,
    .tm_zone = "GMT",
  };
  return to;
}

struct tm *localtime_r(const time_t *restrict from, struct tm *restrict to) {
  gmtime_r(from, to);
  to->tm_zone = "UTC";
  return to;
}

static struct tm __rmc_broken_down;

struct tm *gmtime(const time_t *from) {
  return gmtime_r(from, &__rmc_broken_down);
}

struct tm *localtime(const time_t *from) {
  return localtime_r(from, &__rmc_broken_down);
}

time_t timegm(struct tm *date) {
  long months = date->tm_year * 12L + date->tm_mon;
  long year = 1900 + (months >= 0 ? months / 12 : (months - 11) / 12);
  long days = support_days_before(year) + date->tm_mday - 1;
  int last = (int)(months - (year - 1900) * 12);
  for (int month = 0; month < last; month++)
    days += support_month_length(year, month);
  time_t result = ((days * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
  gmtime_r(&result, date);
  return result;
}

time_t mktime(struct tm *date) {
  time_t result = timegm(date);
  date->tm_zone = "UTC";
  return result;
}

char *asctime_r(const struct tm *restrict date, char *restrict text) {
  static const char __rmc_days[] = "SunMonTueWedThuFriSat", __rmc_months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
  snprintf(text, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", __rmc_days + 3 * date->tm_wday,
           __rmc_months + 3 * date->tm_mon, date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec,
           1900 + date->tm_year);
  return text;
}

static char __rmc_time_text[26];

char *asctime(const struct tm *date) {
  return asctime_r(date, __rmc_time_text);
}

char *ctime_r(const time_t *restrict time, char *restrict text) {
  struct tm date;
  return asctime_r(localtime_r(time, &date), text);
}

char *ctime(const time_t *time) {
  return ctime_r(time, __rmc_time_text);
}

void tzset(void) {}

/* The standard streams are open, and nothing but an error is asked of them: they have none. */
static int support_asks_nothing(struct pollfd *files, nfds_t count) {
  for (nfds_t at = 0; at < count; at++) {
    if (files[at].fd < 0 || files[at].fd > 2 || files[at].events != 0)
      return 0;
    files[at].revents = 0;
  }
  return 1;
}

/* Sleeping, for no time perhaps, in a program that may read no clocks. */
static int support_pause(long seconds, long nanoseconds) {
  if (!__rmc_clocks_read() || (seconds == 0 && nanoseconds == 0))
    return sched_yield();
  return with_errno(support_sleep((struct timespec){seconds, nanoseconds}));
}

/* Waiting for no files: sleep with another name, which returns at once like the others. */
int poll(struct pollfd *files, nfds_t count, int milliseconds) {
  if (count != 0) {
    if (milliseconds != 0 || !support_asks_nothing(files, count))
      __rmc_unsupported("`poll` of files");
    return 0;
  }
  if (milliseconds < 0)
    __rmc_unsupported("`poll` of nothing for ever");
  return support_pause(milliseconds / 1000, milliseconds % 1000 * 1000000L);
}

int select(int count, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *time) {
  if (count != 0 || readable || writable || exceptional)
    __rmc_unsupported("`select` of files");
  if (!time)
    __rmc_unsupported("`select` of nothing for ever");
  return support_pause(time->tv_sec, time->tv_usec * 1000L);
}
