/*
 * string.h and strings.h, but for what the checker models byte by byte (memcmp, memchr, strlen, strcmp, strncmp; memcpy, memmove and memset).
 *
 * A text is copied as memcpy copies, in pieces of up to 8 bytes, once its length is known: in C and POSIX source and destination must not overlap, and
 * nobody may change the source meanwhile. There is one locale, "C".
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
  const unsigned char *at = bytes;
  while (count-- > 0)
    if (at[count] == (unsigned char)wanted)
      return (void *)(at + count);
  return NULL;
}

void *rawmemchr(const void *bytes, int wanted) {
  const unsigned char *at = bytes;
  while (*at != (unsigned char)wanted)
    at++;
  return (void *)at;
}

void *memmem(const void *bytes, size_t count, const void *wanted, size_t length) {
  const char *at = bytes;
  for (; count >= length; at++, count--)
    if (memcmp(at, wanted, length) == 0)
      return (void *)at;
  return NULL;
}

char *strchrnul(const char *text, int wanted) {
  while (*text && *text != (char)wanted)
    text++;
  return (char *)text;
}

char *strchr(const char *text, int wanted) {
  char *found = strchrnul(text, wanted);
  return *found == (char)wanted ? found : NULL;
}

char *strrchr(const char *text, int wanted) {
  return memrchr(text, wanted, strlen(text) + 1);
}

char *index(const char *text, int wanted) {
  return strchr(text, wanted);
}

char *rindex(const char *text, int wanted) {
  return strrchr(text, wanted);
}

char *strstr(const char *text, const char *wanted) {
  size_t length = strlen(wanted);
  for (; strncmp(text, wanted, length) != 0; text++)
    if (!*text)
      return NULL;
  return (char *)text;
}

char *strcasestr(const char *text, const char *wanted) {
  size_t length = strlen(wanted);
  for (; strncasecmp(text, wanted, length) != 0; text++)
    if (!*text)
      return NULL;
  return (char *)text;
}

size_t strspn(const char *text, const char *accepted) {
  size_t length = 0;
  while (text[length] && strchr(accepted, text[length]))
    length++;
  return length;
}

size_t strcspn(const char *text, const char *rejected) {
  size_t length = 0;
  while (!strchr(rejected, text[length]))
    length++;
  return length;
}

char *strpbrk(const char *text, const char *wanted) {
  text += strcspn(text, wanted);
  return *text ? (char *)text : NULL;
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
