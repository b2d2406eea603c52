// check: tso=holds pso=holds states=tso:133,pso:133
// check: --cflags=-O2 tso=holds states=tso:123
// check: --cflags=-O2 --cflags=-D_FORTIFY_SOURCE=2 tso=holds states=tso:123
//
// stdlib.h: numbers from text, sorting and searching, arithmetic, the environment.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *texts[] = {"0",    "42",     "-42",  "+7 apples", "  \t12", "0x1F", "0x",    "0xg",  "077",
                              "09",   "",       "-",    "z",         "zz9",    "9223372036854775807",
                              "9223372036854775808",    "-9223372036854775808", "-9223372036854775809",
                              "18446744073709551615",   "18446744073709551616", "-1"};
static const int bases[] = {0, 2, 8, 10, 16, 36, 1};

static void whole(void) {
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
      char *end;
      errno = 0;
      long value = strtol(texts[t], &end, bases[b]);
      printf("%ld %td %d  ", value, bases[b] == 1 ? 0 : end - texts[t], errno);
      errno = 0;
      unsigned long natural = strtoul(texts[t], &end, bases[b]);
      printf("%lu %td %d\n", natural, bases[b] == 1 ? 0 : end - texts[t], errno);
    }
    printf("%lld %llu %d\n", strtoll(texts[t], NULL, 10), strtoull(texts[t], NULL, 10), atoi(texts[t]));
    printf("%ld %lld %jd %ju\n", atol(texts[t]), atoll(texts[t]), strtoimax(texts[t], NULL, 0), strtoumax(texts[t], NULL, 0));
  }
}

static void real(void) {
  const char *numbers[] = {"0", "-0", "1.5", ".5", "5.", "1e3", "1e", "1e+", "-1.25e-3x", "1e400", "-1e400", "1e-400",
                           "4.9e-324", "2.2250738585072011e-308", "0x1.8p1", "0x.8", "0x1.fffffffffffff8p0", "0x", "inf", "-Infinity!",
                           "nan", "nan(12)", "infx", "  3.14", "", "e5", ".", "+.e1", "0.1", "123456789012345678901234567890", "1e39",
                           "3.4028236e38", "1.1754942e-38", "1.17549435e-38"};
  for (size_t t = 0; t < sizeof numbers / sizeof *numbers; t++) {
    char *end;
    errno = 0;
    double number = strtod(numbers[t], &end);
    printf("%a %td %d  ", number, end - numbers[t], errno);
    errno = 0;
    float single = strtof(numbers[t], &end);
    printf("%a %td %d  ", single, end - numbers[t], errno);
    errno = 0;
    long double extended = strtold(numbers[t], &end);
    printf("%La %td %d %a\n", extended, end - numbers[t], errno, atof(numbers[t]));
  }
}

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

static int by_letter(const void *a, const void *b) {
  return *(const char *)a - *(const char *)b;
}

static int text_order(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void order(void) {
  int numbers[] = {9, -3, 5, 5, 0, 12, -7, 1, 8, 5};
  size_t count = sizeof numbers / sizeof *numbers;
  qsort(numbers, count, sizeof *numbers, ascending);
  for (size_t at = 0; at < count; at++)
    printf("%d ", numbers[at]);
  for (int key = -8; key < 14; key += 3) {
    int *found = bsearch(&key, numbers, count, sizeof *numbers, ascending);
    printf("%d%s ", key, found ? "+" : "-");
  }
  struct { char letter; int number; } pairs[] = {{'b', 1}, {'a', 2}, {'b', 3}, {'a', 4}, {'c', 5}, {'a', 6}};
  qsort(pairs, 6, sizeof *pairs, by_letter);
  for (int at = 0; at < 6; at++)
    printf("%c%d ", pairs[at].letter, pairs[at].number);
  const char *words[] = {"pear", "fig", "apple"};
  qsort(words, 3, sizeof *words, text_order);
  printf("%s %s %s\n", words[0], words[1], words[2]);
  char rows[3][4] = {"ccc", "aaa", "bbb"};
  qsort(rows, 3, 4, (int (*)(const void *, const void *))strcmp);
  printf("%s %s %s\n", rows[0], rows[1], rows[2]);
}

static void arithmetic(void) {
  div_t a = div(-17, 5);
  ldiv_t b = ldiv(17L, -5L);
  lldiv_t c = lldiv(-17LL, -5LL);
  imaxdiv_t d = imaxdiv(100, 7);
  printf("%d %d %ld %ld %lld %lld %jd %jd\n", a.quot, a.rem, b.quot, b.rem, c.quot, c.rem, d.quot, d.rem);
  volatile int one = -1;
  printf("%d %ld %lld %jd\n", abs(one), labs((long)one), llabs((long long)one), imaxabs(one));
  printf("%s\n", getenv("RMC_NO_SUCH_VARIABLE") ? "set" : "not set");
}

static void memory(void) {
  int *list = calloc(3, sizeof *list);
  printf("%d%d%d ", list[0], list[1], list[2]);
  list[2] = 9;
  list = realloc(list, 5 * sizeof *list);
  printf("%d ", list[2]);
  list = reallocarray(list, 6, sizeof *list);
  printf("%d ", list[2]);
  free(list);
  void *aligned = aligned_alloc(64, 128), *other = NULL, *none;
  printf("%d %d ", (int)((uintptr_t)aligned % 64), posix_memalign(&other, 32, 10));
  printf("%d %d\n", (int)((uintptr_t)other % 32), posix_memalign(&none, 3, 10) == EINVAL && posix_memalign(&none, 4, 10) == EINVAL);
  free(aligned);
  free(other);
  errno = 0;
  volatile size_t huge = SIZE_MAX / 2 + 2;
  none = malloc(huge);
  printf("%d %d ", none == NULL, errno == ENOMEM);
  none = calloc(huge, 4);
  printf("%d ", none == NULL);
  none = reallocarray(NULL, huge, 4);
  printf("%d\n", none == NULL);
}

int main(void) {
  whole();
  real();
  order();
  arithmetic();
  memory();
  return 0;
}
