/*
 * sscanf (C11, 7.21.6.2), and the part of fscanf that is the same, with all its conversions but those of wide
 * characters and the allocating ones of POSIX, which are refused by name.
 *
 * That an argument is missing is noticed (the checker looks how many there are); that one points to something of another size only where its
 * bounds are exceeded. An input item of a number may have NUMBER characters.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER 128

/* Modelled: ends the run with an error that names the thing. */
_Noreturn void __rmc_unsupported(const char *what);
/* Modelled: a violation if the list has no further pointer. */
void __rmc_expect_argument(va_list list, const char *conversion);

/* What a specification says beside its letter. */
struct __rmc_scan {
  const char *text;
  const char *start;
  /* Whether the input was looked at behind its last character. */
  _Bool met_end;
  _Bool suppressed;
  size_t width;
  /* h counts -1, l counts 1; L, of long double, is 3. */
  int length;
};

static size_t support_least(size_t a, size_t b) {
  return a < b ? a : b;
}

static const char *support_scan_modifiers(const char *format, struct __rmc_scan *scan) {
  scan->suppressed = *format == '*';
  format += scan->suppressed;
  scan->width = 0;
  for (; isdigit((unsigned char)*format); format++)
    scan->width = scan->width * 10 + (size_t)(*format - '0');
  scan->length = 0;
  for (;; format++) {
    switch (*format) {
    case 'h':
      scan->length--;
      break;
    case 'l':
    case 'j':
    case 'z':
    case 't':
    case 'q':
      scan->length++;
      break;
    case 'L':
      scan->length = 3;
      break;
    case 'm':
      __rmc_unsupported("the modifier `m` in a format of `sscanf`");
    case '$':
    case '\'':
    case 'I':
      __rmc_unsupported("this kind of conversion in a format of `sscanf`");
    default:
      return format;
    }
  }
}

/* How many characters of the input belong to a whole number, as far as C looks; its digits may be missing. */
static size_t support_whole_extent(const char *text, size_t width, int *base, _Bool *met_end) {
  size_t at = 0;
  if (at < width && (text[at] == '+' || text[at] == '-'))
    at++;
  if (at < width && text[at] == '0' && (*base == 0 || *base == 16)) {
    at++;
    if (at < width && (text[at] == 'x' || text[at] == 'X')) {
      at++;
      *base = 16;
    } else if (*base == 0) {
      *base = 8;
    }
  } else if (*base == 0) {
    *base = 10;
  }
  while (at < width && support_digit(text[at]) < *base)
    at++;
  *met_end |= at < width && !text[at];
  return at;
}

/* Copies an input item, so that it ends where the item does. */
static void support_item(const struct __rmc_scan *scan, size_t length, char item[NUMBER]) {
  if (length >= NUMBER)
    __rmc_unsupported("a number of more than 127 characters in the input of `sscanf`");
  memcpy(item, scan->text, length);
  item[length] = 0;
}

static void support_store_whole(void *place, unsigned long value, int length) {
  switch (length) {
  case -2:
    *(unsigned char *)place = (unsigned char)value;
    return;
  case -1:
    *(unsigned short *)place = (unsigned short)value;
    return;
  case 0:
    *(unsigned *)place = (unsigned)value;
    return;
  default:
    *(unsigned long *)place = value;
  }
}

/* Converts a whole number; whether the input matched. */
static _Bool support_scan_whole(struct __rmc_scan *scan, int base, _Bool is_signed, void *place) {
  char item[NUMBER], *end;
  size_t length = support_whole_extent(scan->text, scan->width, &base, &scan->met_end);
  support_item(scan, length, item);
  unsigned long value = is_signed ? (unsigned long)strtol(item, &end, base) : strtoul(item, &end, base);
  /* What was read of an item that is no number stays read. */
  scan->text += length;
  if (end == item)
    return 0;
  if (place)
    support_store_whole(place, value, scan->length);
  return 1;
}

/* Converts a floating-point number. An exponent without digits ("1e+") is read and ignored, as glibc does it; in C it would not match. */
static _Bool support_scan_real(struct __rmc_scan *scan, void *place) {
  char item[NUMBER], *end;
  support_item(scan, support_least(support_least(scan->width, strlen(scan->text)), NUMBER - 1), item);
  double number = 0;
  float single = 0;
  long double extended = 0;
  if (scan->length == 3)
    extended = strtold(item, &end);
  else if (scan->length == 1)
    number = strtod(item, &end);
  else
    single = strtof(item, &end);
  size_t used = (size_t)(end - item);
  _Bool hexadecimal = used > 2 && memchr(item, 'x', 3) != NULL;
  if (used == 0)
    return 0;
  _Bool digit = hexadecimal ? isxdigit((unsigned char)end[-1]) : isdigit((unsigned char)end[-1]);
  if ((digit || end[-1] == '.') && tolower((unsigned char)*end) == (hexadecimal ? 'p' : 'e')) {
    used++;
    used += item[used] == '+' || item[used] == '-';
  }
  scan->met_end |= used < scan->width && !scan->text[used];
  if (used == NUMBER - 1)
    __rmc_unsupported("a number of more than 126 characters in the input of `sscanf`");
  scan->text += used;
  if (!place)
    return 1;
  if (scan->length == 3)
    *(long double *)place = extended;
  else if (scan->length == 1)
    *(double *)place = number;
  else
    *(float *)place = single;
  return 1;
}

/* Copies an input item of characters, with a zero behind it unless `bare`. */
static _Bool support_scan_text(struct __rmc_scan *scan, size_t length, _Bool bare, char *place) {
  if (length == 0)
    return 0;
  if (place) {
    memcpy(place, scan->text, length);
    if (!bare)
      place[length] = 0;
  }
  scan->text += length;
  return 1;
}

/* The characters that a set accepts; `format` stands behind the bracket, and is moved behind the closing one. */
static const char *support_scan_set(const char *format, _Bool accepted[256]) {
  _Bool inverted = *format == '^';
  format += inverted;
  memset(accepted, inverted, 256);
  const char *first = format;
  for (; *format && (*format != ']' || format == first); format++) {
    unsigned from = (unsigned char)*format, to = from;
    if (format[1] == '-' && format[2] != ']' && format[2] != 0) {
      to = (unsigned char)format[2];
      format += 2;
    }
    for (unsigned c = from; c <= to; c++)
      accepted[c] = !inverted;
  }
  return format;
}

static size_t support_set_extent(struct __rmc_scan *scan, const _Bool accepted[256]) {
  size_t length = 0;
  while (length < scan->width && scan->text[length] && accepted[(unsigned char)scan->text[length]])
    length++;
  scan->met_end |= length < scan->width && !scan->text[length];
  return length;
}

static size_t support_word_extent(struct __rmc_scan *scan) {
  size_t length = 0;
  while (length < scan->width && scan->text[length] && !isspace((unsigned char)scan->text[length]))
    length++;
  scan->met_end |= length < scan->width && !scan->text[length];
  return length;
}

/* Performs one conversion, whose letter `*format` is; whether the input matched. */
static _Bool support_convert(struct __rmc_scan *scan, const char **format, void *place) {
  _Bool accepted[256];
  switch (**format) {
  case 'd':
    return support_scan_whole(scan, 10, 1, place);
  case 'i':
    return support_scan_whole(scan, 0, 1, place);
  case 'u':
    return support_scan_whole(scan, 10, 0, place);
  case 'o':
    return support_scan_whole(scan, 8, 0, place);
  case 'p':
    scan->length = 1;
    return support_scan_whole(scan, 16, 0, place);
  case 'x':
  case 'X':
    return support_scan_whole(scan, 16, 0, place);
  case 's':
    return support_scan_text(scan, support_word_extent(scan), 0, place);
  case '[':
    *format = support_scan_set(*format + 1, accepted);
    return support_scan_text(scan, support_set_extent(scan, accepted), 0, place);
  case 'c':
    scan->met_end |= strlen(scan->text) < scan->width;
    return !scan->met_end && support_scan_text(scan, scan->width, 1, place);
  default:
    return support_scan_real(scan, place);
  }
}

/* Skips white space. */
static void support_scan_space(struct __rmc_scan *scan) {
  while (isspace((unsigned char)*scan->text))
    scan->text++;
  scan->met_end |= !*scan->text;
}

static int support_scan_all(struct __rmc_scan *scan, const char *format, va_list list) {
  int assigned = 0;
  _Bool matched = 0;
  for (; *format; format++) {
    if (isspace((unsigned char)*format)) {
      support_scan_space(scan);
      continue;
    }
    const char *conversion = format;
    if (*format == '%') {
      format = support_scan_modifiers(format + 1, scan);
      if (!*format || !strchr("diouxXpsc[naAeEfFgG%", *format) || (scan->length == 1 && strchr("sc[", *format)))
        __rmc_unsupported("this kind of conversion in a format of `sscanf`");
    }
    if (*conversion != '%' || *format == '%') {
      if (*format == '%')
        support_scan_space(scan);
      scan->met_end |= !*scan->text;
      if (*scan->text != *format)
        return *scan->text || assigned || matched ? assigned : EOF;
      scan->text++;
      continue;
    }
    if (scan->width == 0)
      scan->width = *format == 'c' ? 1 : (size_t)-1;
    void *place = NULL;
    if (!scan->suppressed) {
      __rmc_expect_argument(list, conversion);
      place = va_arg(list, void *);
    }
    if (*format == 'n') {
      if (place)
        support_store_whole(place, (unsigned long)(scan->text - scan->start), scan->length);
      continue;
    }
    if (*format != 'c' && *format != '[')
      support_scan_space(scan);
    if (!*scan->text) {
      scan->met_end = 1;
      return assigned || matched ? assigned : EOF;
    }
    if (!support_convert(scan, &format, place))
      return assigned;
    matched = 1;
    assigned += !scan->suppressed;
  }
  return assigned;
}

/* Under the names of C and those that headers put in their place for C99 and C23. */
#define VARIADIC(function, name)                                                                             \
  int function(const char *restrict text, const char *restrict format, ...) __asm__(name);                    \
  int function(const char *restrict text, const char *restrict format, ...) {                                 \
    va_list list;                                                                                            \
    va_start(list, format);                                                                                  \
    struct __rmc_scan scan = {.text = text, .start = text};                                                  \
    int assigned = support_scan_all(&scan, format, list);                                                      \
    va_end(list);                                                                                            \
    return assigned;                                                                                         \
  }
#define WITH_LIST(function, name)                                                                            \
  int function(const char *restrict text, const char *restrict format, va_list list) __asm__(name);           \
  int function(const char *restrict text, const char *restrict format, va_list list) {                        \
    struct __rmc_scan scan = {.text = text, .start = text};                                                  \
    return support_scan_all(&scan, format, list);                                                            \
  }

VARIADIC(__rmc_sscanf, "sscanf")
VARIADIC(__rmc_sscanf99, "__isoc99_sscanf")
VARIADIC(__rmc_sscanf23, "__isoc23_sscanf")
WITH_LIST(__rmc_vsscanf, "vsscanf")
WITH_LIST(__rmc_vsscanf99, "__isoc99_vsscanf")
WITH_LIST(__rmc_vsscanf23, "__isoc23_vsscanf")
