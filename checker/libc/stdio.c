/*
 * stdio.h: the standard streams, and printing to memory that is allocated for it. Printing itself is modelled.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* The checker knows a stream by its place in this array. The descriptors are there for macros that look at them. */
static const FILE __rmc_streams[3] = {{._fileno = 0}, {._fileno = 1}, {._fileno = 2}};
FILE *const __rmc_stdin __asm__("stdin") = (FILE *)&__rmc_streams[0];
FILE *const __rmc_stdout __asm__("stdout") = (FILE *)&__rmc_streams[1];
FILE *const __rmc_stderr __asm__("stderr") = (FILE *)&__rmc_streams[2];

int vasprintf(char **restrict place, const char *restrict format, va_list list) {
  va_list again;
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = malloc((size_t)length + 1);
  *place = text;
  return text ? vsnprintf(text, (size_t)length + 1, format, list) : -1;
}

int asprintf(char **restrict place, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int length = vasprintf(place, format, list);
  va_end(list);
  return length;
}

int __vasprintf_chk(char **restrict place, int flag, const char *restrict format, va_list list) {
  (void)flag;
  return vasprintf(place, format, list);
}

int __asprintf_chk(char **restrict place, int flag, const char *restrict format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  int length = vasprintf(place, format, list);
  va_end(list);
  return length;
}

/* What the inline functions of optimising headers call when a stream's buffer is full; here it always is. */
int __overflow(FILE *stream, int byte) {
  return fputc(byte, stream);
}
