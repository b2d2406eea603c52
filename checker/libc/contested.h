/*
 * Reading bytes that other threads may change meanwhile: see string.c.
 */
#include <stddef.h>
#include <string.h>

/* How many of these bytes, at most 4096 of one object, are to be copied before they are read: 0 if no other thread
 * may change any of them. */
size_t __rmc_contested(const void *bytes, size_t most);
/* Copies bytes of two places one behind the other, in no order among all of them. */
void __rmc_copy_both(void *to, const void *left, const void *right, size_t count);
size_t __rmc_strlen(const char *text);
void *__rmc_memchr(const void *bytes, int wanted, size_t count);
int __rmc_memcmp(const void *left, const void *right, size_t count);
int __rmc_strncmp(const char *left, const char *right, size_t most);

/* A text as it was read at once; the text itself where nobody changes it or it may be too long to be copied. */
#define READ_AT_ONCE(text)                                                                                   \
  ({                                                                                                         \
    size_t size_ = __rmc_contested(text, (size_t)-1);                                                        \
    size_ && size_ < 4096 ? (const char *)memcpy(__builtin_alloca(size_), text, size_) : (text);             \
  })
