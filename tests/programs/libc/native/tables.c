// check: tso=holds pso=holds states=tso:112,pso:112
//
// ctype.h, as functions and through the tables that its macros use; errno.h in words; the calendar.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void classes(void) {
  int (*tests[])(int) = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower, isprint, ispunct, isspace, isupper, isxdigit, isascii};
  for (int c = -1; c < 256; c++) {
    unsigned through_functions = 0;
    for (size_t at = 0; at < sizeof tests / sizeof *tests; at++)
      through_functions |= (unsigned)(tests[at](c) != 0) << at;
    unsigned through_macros = (isalnum(c) != 0) | (isalpha(c) != 0) << 1 | (isdigit(c) != 0) << 4 | (isspace(c) != 0) << 9 | (ispunct(c) != 0) << 8;
    printf("%x %x %d %d %d\n", through_functions, through_macros, toupper(c), tolower(c), toascii(c));
  }
}

static void errors(void) {
  for (int number = 0; number < 134; number++)
    puts(strerror(number));
  puts(strerror(-1));
  puts(strerror(200));
  printf("%d\n", errno = 5);
}

static void show(const struct tm *date) {
  printf("%d-%d-%d %d:%d:%d %d %d %d %s", date->tm_year, date->tm_mon, date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec,
         date->tm_wday, date->tm_yday, date->tm_isdst, asctime(date));
}

static void calendar(void) {
  time_t times[] = {0, 1, -1, 951782399, 951782400, 1704067200, 4102444800, -2208988800, 253402300799, 68169600, 1078099199};
  for (size_t at = 0; at < sizeof times / sizeof *times; at++) {
    struct tm date, again;
    show(gmtime(&times[at]));
    show(localtime(&times[at]));
    localtime_r(&times[at], &again);
    char text[32];
    fputs(asctime_r(gmtime_r(&times[at], &date), text), stdout);
    fputs(ctime(&times[at]), stdout);
    fputs(ctime_r(&times[at], text), stdout);
    printf("%ld %ld %d\n", timegm(&date), mktime(&again), again.tm_isdst);
  }
  struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = 45, .tm_hour = -3, .tm_min = 100, .tm_sec = -5, .tm_isdst = 0};
  printf("%ld\n", mktime(&odd));
  show(&odd);
  printf("%g\n", difftime(times[3], times[2]));
}

int main(void) {
  classes();
  errors();
  calendar();
  return 0;
}
