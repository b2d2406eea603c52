/*
 * stdlib.h: numbers from text. The extent of a floating-point number is found here; the checker converts it, rounding once.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

struct __rmc_number {
  unsigned long value;
  _Bool negative, overflows;
};

static int support_digit(char c) {
  if (isdigit((unsigned char)c))
    return c - '0';
  return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 36;
}

/* The magnitude and sign of the number at the start of a text. */
static struct __rmc_number support_integer(const char *text, char **end, int base) {
  struct __rmc_number number = {0, 0, 0};
  if (end)
    *end = (char *)text;
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return number;
  }
  const char *start = READ_AT_ONCE(text), *original = text;
  text = start;
  while (isspace((unsigned char)*text))
    text++;
  if (*text == '+' || *text == '-')
    number.negative = *text++ == '-';
  _Bool prefixed = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && support_digit(text[2]) < 16;
  if ((base == 0 || base == 16) && prefixed) {
    text += 2;
    base = 16;
  } else if (base == 0) {
    base = text[0] == '0' ? 8 : 10;
  }
  const char *first = text;
  for (int digit; (digit = support_digit(*text)) < base; text++) {
    unsigned long scaled;
    number.overflows |= __builtin_mul_overflow(number.value, (unsigned long)base, &scaled);
    number.overflows |= __builtin_add_overflow(scaled, (unsigned long)digit, &number.value);
  }
  if (end && text != first)
    *end = (char *)original + (text - start);
  return number;
}

long strtol(const char *restrict text, char **restrict end, int base) {
  struct __rmc_number number = support_integer(text, end, base);
  if (number.overflows || number.value > (unsigned long)LONG_MAX + number.negative) {
    errno = ERANGE;
    return number.negative ? LONG_MIN : LONG_MAX;
  }
  return (long)(number.negative ? -number.value : number.value);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base) {
  struct __rmc_number number = support_integer(text, end, base);
  if (number.overflows) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return number.negative ? -number.value : number.value;
}

/* The other names of the two; those that begin with __isoc are what headers make of them for newer versions of C. */
#define SIGNED(type, name)                                                                                   \
  type name(const char *restrict text, char **restrict end, int base) {                                      \
    return strtol(text, end, base);                                                                          \
  }
#define UNSIGNED(type, name)                                                                                 \
  type name(const char *restrict text, char **restrict end, int base) {                                      \
    return strtoul(text, end, base);                                                                         \
  }
#define PROTOTYPE(type, name) type name(const char *restrict text, char **restrict end, int base);

PROTOTYPE(long, __isoc23_strtol)
PROTOTYPE(long long, __isoc23_strtoll)
PROTOTYPE(intmax_t, __isoc23_strtoimax)
PROTOTYPE(unsigned long, __isoc23_strtoul)
PROTOTYPE(unsigned long long, __isoc23_strtoull)
PROTOTYPE(uintmax_t, __isoc23_strtoumax)
SIGNED(long long, strtoll)
SIGNED(intmax_t, strtoimax)
SIGNED(long, __isoc23_strtol)
SIGNED(long long, __isoc23_strtoll)
SIGNED(intmax_t, __isoc23_strtoimax)
UNSIGNED(unsigned long long, strtoull)
UNSIGNED(uintmax_t, strtoumax)
UNSIGNED(unsigned long, __isoc23_strtoul)
UNSIGNED(unsigned long long, __isoc23_strtoull)
UNSIGNED(uintmax_t, __isoc23_strtoumax)

int atoi(const char *text) {
  return (int)strtol(text, NULL, 10);
}

long atol(const char *text) {
  return strtol(text, NULL, 10);
}

long long atoll(const char *text) {
  return strtol(text, NULL, 10);
}

/* Where the digits of a number end, with at most one point among them; the text itself if there are none. */
static const char *support_digits_end(const char *text, int base) {
  const char *at = text;
  int digits = 0;
  for (_Bool point = 0; support_digit(*at) < base || (*at == '.' && !point); at++) {
    if (*at == '.')
      point = 1;
    else
      digits++;
  }
  return digits ? at : text;
}

/* Where an exponent ends; the text itself if there is none. */
static const char *support_exponent_end(const char *text, char letter) {
  const char *at = text;
  if (tolower((unsigned char)*at) != letter)
    return text;
  at++;
  if (*at == '+' || *at == '-')
    at++;
  if (!isdigit((unsigned char)*at))
    return text;
  while (isdigit((unsigned char)*at))
    at++;
  return at;
}

/* Where the floating-point number without its sign ends; the text itself if there is none. */
static const char *support_real_end(const char *text) {
  if (strncasecmp(text, "infinity", 8) == 0)
    return text + 8;
  if (strncasecmp(text, "inf", 3) == 0)
    return text + 3;
  if (strncasecmp(text, "nan", 3) == 0) {
    const char *at = text + 3;
    if (*at++ != '(')
      return text + 3;
    while (isalnum((unsigned char)*at) || *at == '_')
      at++;
    return *at == ')' ? at + 1 : text + 3;
  }
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    const char *end = support_digits_end(text + 2, 16);
    if (end != text + 2)
      return support_exponent_end(end, 'p');
  }
  const char *end = support_digits_end(text, 10);
  return end == text ? text : support_exponent_end(end, 'e');
}

/* Modelled: writes the number in a text, of so many bits, and tells whether it is out of range. */
int __rmc_parse_real(const char *text, size_t length, int bits, void *result);

static void support_real(const char *restrict text, char **restrict end, int bits, void *result) {
  const char *start = text;
  while (isspace((unsigned char)*start))
    start++;
  const char *digits = start + (*start == '+' || *start == '-');
  const char *last = support_real_end(digits);
  if (end)
    *end = (char *)(last == digits ? text : last);
  if (__rmc_parse_real(start, last == digits ? 0 : (size_t)(last - start), bits, result))
    errno = ERANGE;
}

double strtod(const char *restrict text, char **restrict end) {
  double result;
  support_real(text, end, 64, &result);
  return result;
}

float strtof(const char *restrict text, char **restrict end) {
  float result;
  support_real(text, end, 32, &result);
  return result;
}

long double strtold(const char *restrict text, char **restrict end) {
  long double result;
  support_real(text, end, 80, &result);
  return result;
}

double atof(const char *text) {
  return strtod(text, NULL);
}
