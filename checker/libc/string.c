/*
 * string.h and strings.h, but for memcpy, memmove and memset, which the checker models. There is one locale,
 * "C".
 *
 * Functions that read bytes do so in no order: implementations read wide registers. So where other threads
 * may change what is read (__rmc_contested), they work on a copy, and the copy is made as memcpy makes it,
 * its pieces unordered, those of two texts that are compared included. What is longer than 4096 bytes is read
 * in such parts, first to last. Where nobody changes them, bytes are read in place by what the checker models
 * (__rmc_strlen and so on).
 *
 * A text is copied as memcpy copies, in pieces of up to 8 bytes, once its length is known: in C and POSIX
 * source and destination must not overlap.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t strlen(const char *text) {
  size_t part = __rmc_contested(text, (size_t)-1);
  if (part == 0)
    return __rmc_strlen(text);
  char copy[part];
  const char *end = __rmc_memchr(memcpy(copy, text, part), 0, part);
  return end ? (size_t)(end - copy) : part + __rmc_strlen(text + part);
}

void *memchr(const void *bytes, int wanted, size_t count) {
  size_t part = __rmc_contested(bytes, count);
  if (part == 0)
    return __rmc_memchr(bytes, wanted, count);
  char copy[part];
  const char *found = __rmc_memchr(memcpy(copy, bytes, part), wanted, part);
  if (found)
    return (char *)bytes + (found - copy);
  return part == count ? NULL : __rmc_memchr((const char *)bytes + part, wanted, count - part);
}

/* Compares `count` bytes, where it is a text no further than to its end. */
static int compare(const char *left, const char *right, size_t count, _Bool is_text) {
  size_t part_left = __rmc_contested(left, count), part_right = __rmc_contested(right, count);
  if (part_left == 0 && part_right == 0)
    return is_text ? __rmc_strncmp(left, right, count) : __rmc_memcmp(left, right, count);
  size_t part = part_left && (part_left < part_right || !part_right) ? part_left : part_right;
  char copies[2 * part];
  const char *first = left, *second = right;
  if (part_left && part_right) {
    __rmc_copy_both(copies, left, right, part);
    first = copies;
    second = copies + part;
  } else if (part_left) {
    first = memcpy(copies, left, part);
  } else {
    second = memcpy(copies, right, part);
  }
  int order = is_text ? __rmc_strncmp(first, second, part) : __rmc_memcmp(first, second, part);
  if (order != 0 || part == count || (is_text && __rmc_memchr(first, 0, part)))
    return order;
  return is_text ? __rmc_strncmp(left + part, right + part, count - part)
                 : __rmc_memcmp(left + part, right + part, count - part);
}

int memcmp(const void *left, const void *right, size_t count) {
  return compare(left, right, count, 0);
}

int bcmp(const void *left, const void *right, size_t count) {
  return compare(left, right, count, 0);
}

int strcmp(const char *left, const char *right) {
  return compare(left, right, (size_t)-1, 1);
}

int strncmp(const char *left, const char *right, size_t most) {
  return compare(left, right, most, 1);
}

void *mempcpy(void *restrict to, const void *restrict from, size_t count) {
  return (char *)memcpy(to, from, count) + count;
}

void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t count, size_t room) {
  (void)room;
  return mempcpy(to, from, count);
}

size_t strnlen(const char *text, size_t most) {
  const char *end = memchr(text, 0, most);
  return end ? (size_t)(end - text) : most;
}

char *strcpy(char *restrict to, const char *restrict from) {
  return memcpy(to, from, strlen(from) + 1);
}

char *stpcpy(char *restrict to, const char *restrict from) {
  size_t length = strlen(from);
  memcpy(to, from, length + 1);
  return to + length;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t count) {
  size_t length = strnlen(from, count);
  memcpy(to, from, length);
  memset(to + length, 0, count - length);
  return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t count) {
  stpncpy(to, from, count);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t most) {
  size_t length = strnlen(from, most);
  char *end = to + strlen(to);
  memcpy(end, from, length);
  end[length] = 0;
  return to;
}

void __chk_fail(void);

char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  if (strlen(from) >= room)
    __chk_fail();
  return strcpy(to, from);
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  if (strlen(from) >= room)
    __chk_fail();
  return stpcpy(to, from);
}

char *__strncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
  if (count > room)
    __chk_fail();
  return strncpy(to, from, count);
}

char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t count, size_t room) {
  if (count > room)
    __chk_fail();
  return stpncpy(to, from, count);
}

char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  if (strlen(to) + strlen(from) >= room)
    __chk_fail();
  return strcat(to, from);
}

char *__strncat_chk(char *restrict to, const char *restrict from, size_t most, size_t room) {
  if (strlen(to) + strnlen(from, most) >= room)
    __chk_fail();
  return strncat(to, from, most);
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t count) {
  const char *end = memchr(from, last, count);
  if (!end) {
    memcpy(to, from, count);
    return NULL;
  }
  return mempcpy(to, from, (size_t)(end - (const char *)from) + 1);
}

void *memrchr(const void *bytes, int wanted, size_t count) {
  size_t part = __rmc_contested(bytes, count);
  char copy[part ? part : 1];
  const unsigned char *at = part == count && part ? memcpy(copy, bytes, part) : bytes;
  while (count-- > 0)
    if (at[count] == (unsigned char)wanted)
      return (char *)bytes + count;
  return NULL;
}

void *rawmemchr(const void *bytes, int wanted) {
  const char *first = READ_AT_ONCE((const char *)bytes), *at = first;
  while (*at != (char)wanted)
    at++;
  return (char *)bytes + (at - first);
}

void *memmem(const void *bytes, size_t count, const void *wanted, size_t length) {
  size_t part = __rmc_contested(bytes, count);
  char copy[part ? part : 1];
  const char *first = part == count && part ? memcpy(copy, bytes, part) : bytes;
  for (const char *at = first; count >= length; at++, count--)
    if (memcmp(at, wanted, length) == 0)
      return (char *)bytes + (at - first);
  return NULL;
}

char *strchrnul(const char *text, int wanted) {
  const char *first = READ_AT_ONCE(text), *at = first;
  while (*at && *at != (char)wanted)
    at++;
  return (char *)text + (at - first);
}

char *strchr(const char *text, int wanted) {
  const char *first = READ_AT_ONCE(text), *found = strchrnul(first, wanted);
  return *found == (char)wanted ? (char *)text + (found - first) : NULL;
}

char *strrchr(const char *text, int wanted) {
  const char *first = READ_AT_ONCE(text), *found = memrchr(first, wanted, strlen(first) + 1);
  return found ? (char *)text + (found - first) : NULL;
}

char *index(const char *text, int wanted) {
  return strchr(text, wanted);
}

char *rindex(const char *text, int wanted) {
  return strrchr(text, wanted);
}

char *strstr(const char *text, const char *wanted) {
  const char *first = READ_AT_ONCE(text), *at = first;
  wanted = READ_AT_ONCE(wanted);
  size_t length = strlen(wanted);
  for (; strncmp(at, wanted, length) != 0; at++)
    if (!*at)
      return NULL;
  return (char *)text + (at - first);
}

char *strcasestr(const char *text, const char *wanted) {
  const char *first = READ_AT_ONCE(text), *at = first;
  wanted = READ_AT_ONCE(wanted);
  size_t length = strlen(wanted);
  for (; strncasecmp(at, wanted, length) != 0; at++)
    if (!*at)
      return NULL;
  return (char *)text + (at - first);
}

size_t strspn(const char *text, const char *accepted) {
  text = READ_AT_ONCE(text);
  accepted = READ_AT_ONCE(accepted);
  size_t length = 0;
  while (text[length] && strchr(accepted, text[length]))
    length++;
  return length;
}

size_t strcspn(const char *text, const char *rejected) {
  text = READ_AT_ONCE(text);
  rejected = READ_AT_ONCE(rejected);
  size_t length = 0;
  while (!strchr(rejected, text[length]))
    length++;
  return length;
}

char *strpbrk(const char *text, const char *wanted) {
  const char *first = READ_AT_ONCE(text), *at = first + strcspn(first, wanted);
  return *at ? (char *)text + (at - first) : NULL;
}

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
  if (!text)
    text = *rest;
  text += strspn(text, delimiters);
  char *end = text + strcspn(text, delimiters);
  *rest = *end ? end + 1 : end;
  if (*end)
    *end = 0;
  return end == text ? NULL : text;
}

char *__strtok_r(char *restrict text, const char *restrict delimiters, char **restrict rest) {
  return strtok_r(text, delimiters, rest);
}

static char *__rmc_strtok_rest;

char *strtok(char *restrict text, const char *restrict delimiters) {
  return strtok_r(text, delimiters, &__rmc_strtok_rest);
}

char *strsep(char **restrict rest, const char *restrict delimiters) {
  char *text = *rest;
  if (!text)
    return NULL;
  char *end = strpbrk(text, delimiters);
  *rest = end ? end + 1 : NULL;
  if (end)
    *end = 0;
  return text;
}

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

char *__strdup(const char *text) {
  return strdup(text);
}

char *__strndup(const char *text, size_t most) {
  return strndup(text, most);
}

int strncasecmp(const char *left, const char *right, size_t most) {
  left = READ_AT_ONCE(left);
  right = READ_AT_ONCE(right);
  for (size_t at = 0; at < most; at++) {
    int a = tolower((unsigned char)left[at]), b = tolower((unsigned char)right[at]);
    if (a != b || a == 0)
      return a - b;
  }
  return 0;
}

int strcasecmp(const char *left, const char *right) {
  return strncasecmp(left, right, (size_t)-1);
}

int strcoll(const char *left, const char *right) {
  return strcmp(left, right);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t room) {
  size_t length = strlen(from);
  if (room > 0)
    stpncpy(to, from, room);
  return length;
}

void bzero(void *bytes, size_t count) {
  memset(bytes, 0, count);
}

void explicit_bzero(void *bytes, size_t count) {
  memset(bytes, 0, count);
}

void __explicit_bzero_chk(void *bytes, size_t count, size_t room) {
  (void)room;
  memset(bytes, 0, count);
}

void bcopy(const void *from, void *to, size_t count) {
  memmove(to, from, count);
}

int ffsl(long bits) {
  return bits ? __builtin_ctzl((unsigned long)bits) + 1 : 0;
}

int ffsll(long long bits) {
  return ffsl((long)bits);
}

int ffs(int bits) {
  return ffsl(bits);
}
