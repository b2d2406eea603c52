// check: tso=holds pso=holds states=tso:1,pso:1
// check: --cflags=-O2 tso=holds states=tso:1
// check: --cflags=-O2 --cflags=-D_FORTIFY_SOURCE=2 tso=holds states=tso:1
//
// The printf family: every conversion, flag, width and precision; where it prints to.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void whole(void) {
  int numbers[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
  for (int at = 0; at < 7; at++) {
    int n = numbers[at];
    printf("|%d|%i|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%08.3d|%+.0d|\n", n, n, n, n, n, n, n, n, n, n, n, n);
    printf("|%u|%o|%x|%X|%#o|%#x|%#X|%#010x|%-#10x|%.5x|%#.5o|\n", n, n, n, n, n, n, n, n, n, n, n);
    printf("|%hd|%hhd|%hu|%hhu|%hx|%hho|\n", (short)n, (signed char)n, (unsigned short)n, (unsigned char)n,
           (unsigned short)n, (unsigned char)n);
    printf("|%ld|%lld|%lu|%llx|%jd|%zu|%td|%zd|\n", (long)n, (long long)n, (unsigned long)n, (unsigned long long)n,
           (intmax_t)n, (size_t)n, (ptrdiff_t)n, (ssize_t)n);
  }
  printf("%*d|%-*d|%.*d|%*.*d|%*d|%.*d\n", 6, 1, 6, 2, 3, 3, 7, 4, 4, -5, 5, -1, 6);
  printf("%ld %lu %ld\n", LONG_MIN, ULONG_MAX, LONG_MAX);
}

static void text(void) {
  printf("|%s|%10s|%-10s|%.2s|%10.2s|%.0s|%c|%5c|%-5c|%%|\n", "text", "text", "text", "text", "text", "text", 'x', 'y', 'z');
  printf("|%p|%10p|\n", NULL, NULL);
  char unterminated[3] = {'a', 'b', 'c'};
  printf("%.3s|%.*s\n", unterminated, 2, unterminated);
  int count;
  long longer;
  signed char shorter;
  printf("12345%n6789%ln0%hhn\n", &count, &longer, &shorter);
  printf("%d %ld %d\n", count, longer, shorter);
}

static void real(void) {
  double numbers[] = {0.0, -0.0, 1.0, -1.5, 0.1, 2.5, 3.5, 123456.789, 1e-5, 9.9999e-5, 999994.5, 1e15, 1e21, 5e-324, 1.7976931348623157e308,
                      INFINITY, -INFINITY};
  for (size_t at = 0; at < sizeof numbers / sizeof *numbers; at++) {
    double n = numbers[at];
    printf("|%f|%F|%.0f|%#.0f|%.1f|%10.2f|%-10.2f|%010.2f|%+f|% f|\n", n, n, n, n, n, n, n, n, n, n);
    printf("|%e|%E|%.0e|%#.0e|%.3e|%15.2e|%.17e|\n", n, n, n, n, n, n, n);
    printf("|%g|%G|%.0g|%#g|%.3g|%10.2g|%.17g|%#.3g|\n", n, n, n, n, n, n, n, n);
    printf("|%a|%A|%.0a|%.3a|%20a|%-20a|%020a|%.20a|\n", n, n, n, n, n, n, n, n);
    long double l = n;
    printf("|%Lf|%Le|%Lg|%La|%.30Lf|%.2La|\n", l, l, l, l, l / 3, l / 7);
  }
  printf("%f %5f %05f\n", NAN, NAN, NAN);
}

static int forward(char *to, size_t room, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int first = va_arg(list, int);
  int length = vsnprintf(to, room, format, list);
  va_end(list);
  return first * 1000 + length;
}

static void through(FILE *stream, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  vfprintf(stream, format, list);
  va_end(list);
  vprintf(format, again);
  va_end(again);
}

static void down(int descriptor, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vdprintf(descriptor, format, list);
  va_end(list);
}

static char *allocated(const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  int length = vasprintf(&text, format, list);
  va_end(list);
  return length < 0 ? NULL : text;
}

static void spread(char *to, const char *format, ...) {
  va_list list;
  va_start(list, format);
  printf("%d ", vsprintf(to, format, list));
  va_end(list);
}

static void places(void) {
  char to[64];
  printf("%d %s\n", sprintf(to, "%d-%s", 7, "seven"), to);
  printf("%d %s\n", snprintf(to, 5, "%s", "too long"), to);
  printf("%d\n", snprintf(NULL, 0, "%d", 12345));
  printf("%d %s\n", forward(to, sizeof to, "%s %ld %g %c", 3, "text", 4L, 2.5, 'c'), to);
  printf("%d %s\n", forward(to, sizeof to, "%d %Lf %d %d %d %d %f", 1, 2, 3.5L, 4, 5, 6, 7, 8.25), to);
  through(stdout, "%d %s %f\n", 1, "twice", 0.5);
  down(STDOUT_FILENO, "%s %u\n", "descriptor", 3u);
  spread(to, "%x%c", 255, '!');
  puts(to);
  char *text = allocated("%s of %d", "part", 9);
  puts(text);
  free(text);
  if (asprintf(&text, "%5.1f|", 2.25) > 0)
    puts(text);
  free(text);
  fprintf(stdout, "%s\n", "stream");
  dprintf(1, "%d\n", 1);
}

static void streams(void) {
  fputs("fputs\n", stdout);
  fputc('f', stdout);
  putc('p', stdout);
  putchar('\n');
  printf("%zu\n", fwrite("abcdef", 2, 3, stdout));
  printf("%zd\n", write(1, "written\n", 8));
  printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
  printf("%d %d %d\n", ferror(stdout), feof(stdout), fflush(stdout));
  fputs("error\n", stderr);
  errno = ENOENT;
  perror("perror");
  perror(NULL);
  clearerr(stdout);
  fflush(NULL);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  whole();
  text();
  real();
  places();
  streams();
  return 17;
}
