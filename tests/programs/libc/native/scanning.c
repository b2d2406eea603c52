// check: tso=holds pso=holds states=tso:67,pso:67
//
// sscanf: every conversion, and where it stops.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int scan(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int assigned = vsscanf(text, format, list);
  va_end(list);
  return assigned;
}

static void whole(void) {
  const char *texts[] = {"12 34", "-5", "+6", "0x1f", "017", "abc", "", "   ", "99999", "0", "8", "1,2", "- 3", "0b1"};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    int d = -1, i = -1, n = -1;
    unsigned u = 77, o = 77, x = 77;
    printf("%d ", sscanf(texts[at], "%d%n", &d, &n));
    printf("%d ", sscanf(texts[at], "%i", &i));
    printf("%d ", sscanf(texts[at], "%u", &u));
    printf("%d ", sscanf(texts[at], "%o", &o));
    printf("%d %d %d %u %o %x %d\n", sscanf(texts[at], "%x", &x), d, i, u, o, x, n);
  }
  signed char hh;
  short h;
  long l;
  long long ll;
  intmax_t j;
  size_t z;
  ptrdiff_t t;
  void *p;
  printf("%d ", sscanf("300 70000 -5 -6 7 8 9 0xff", "%hhd %hd %ld %lld %jd %zu %td %p", &hh, &h, &l, &ll, &j, &z, &t, &p));
  printf("%d %d %ld %lld %jd %zu %td %p\n", hh, h, l, ll, j, z, t, p);
}

static void real(void) {
  const char *texts[] = {"1.5", "-2e3x", ".5", "5.", "1e+", "1e", "inf", "nan", "0x1.8p1", "x", "1.2.3", "1e400"};
  for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
    float f = -1;
    double g = -1;
    long double l = -1;
    printf("%d ", sscanf(texts[at], "%f", &f));
    printf("%d ", sscanf(texts[at], "%lg", &g));
    printf("%d %g %g %Lg\n", sscanf(texts[at], "%Le", &l), f, g, l);
  }
}

static void text(void) {
  char a[32] = "", b[32] = "", c[8] = "";
  int n = -1;
  printf("%d %s|%s|\n", scan("  two words", "%s %s", a, b), a, b);
  printf("%d %s|%s|\n", scan("abcdefgh", "%3s%4s", a, b), a, b);
  memset(c, '-', 7);
  printf("%d %s|\n", scan("xyz", "%2c", c), c);
  printf("%d %s|\n", scan(" q", "%c", c), c);
  printf("%d %s|%s|\n", scan("123abc!", "%[0-9]%[^!]", a, b), a, b);
  printf("%d %s|\n", scan("]-x", "%[]-]", a), a);
  printf("%d %s|\n", scan("a-b c", "%[a-z-]", a), a);
  printf("%d\n", scan("!", "%[a-z]", a));
  printf("%d %d\n", scan("skip 5", "%*s %d", &n), n);
  printf("%d %d\n", scan("10:20", "10:%d", &n), n);
  printf("%d\n", scan("11:20", "10:%d", &n));
  printf("%d %d\n", scan("50%", "%d%%", &n), n);
  printf("%d %d\n", scan("7 ", "%d %n", &n, &n), n);
  printf("%d\n", scan("", "x"));
  printf("%d\n", scan("a", "ab"));
  printf("%d %d\n", scan("123456", "%3d", &n), n);
  printf("%d\n", scan("5", "%d %d", &n, &n));
}

int main(void) {
  whole();
  real();
  text();
  return 0;
}
