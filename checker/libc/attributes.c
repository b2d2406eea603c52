/*
 * Attributes of threads, mutexes, condition variables, reader-writer locks and barriers. The first word of each attribute object is ATTRIBUTES and the bits
 * that matter; the models read it (src/system/library/sync.rs, threads.rs). A destroyed one is no attribute object any more.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

_Noreturn void __rmc_unsupported(const char *what);

#define ATTRIBUTES 0x52A70000u
#define DETACHED 1u
#define KIND 3u
#define SHARED 4u
#define CLOCK_MONOTONIC_USED 8u
#define ONLY(bits) (ATTRIBUTES | (bits))

static unsigned *attributes_word(const void *attributes) {
  return (unsigned *)attributes;
}

static int attributes_begin(void *attributes) {
  *attributes_word(attributes) = ATTRIBUTES;
  return 0;
}

static int attributes_end(void *attributes) {
  *attributes_word(attributes) = 0;
  return 0;
}

static int attributes_set(void *attributes, unsigned bits, bool on) {
  unsigned all = *attributes_word(attributes);
  *attributes_word(attributes) = on ? all | bits : all & ~bits;
  return 0;
}

static bool attributes_has(const void *attributes, unsigned bits) {
  return *attributes_word(attributes) & bits;
}

/* Whether processes share an object changes nothing: there is one process. */
static int attributes_set_shared(void *attributes, int shared) {
  if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
    return EINVAL;
  return attributes_set(attributes, SHARED, shared == PTHREAD_PROCESS_SHARED);
}

static int attributes_get_shared(const void *attributes, int *shared) {
  *shared = attributes_has(attributes, SHARED) ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
  return 0;
}

/* A thread's attributes: the word, then sizes that only their own functions read. */
struct thread_attributes {
  unsigned word;
  unsigned unused;
  size_t stack;
  size_t guard;
};

#define DEFAULT_STACK ((size_t)8 << 20)
#define SMALLEST_STACK 16384u
#define DEFAULT_GUARD 4096u

int pthread_attr_init(pthread_attr_t *attributes) {
  struct thread_attributes *these = (void *)attributes;
  these->stack = DEFAULT_STACK;
  these->guard = DEFAULT_GUARD;
  return attributes_begin(attributes);
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  return attributes_end(attributes);
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_DETACHED && state != PTHREAD_CREATE_JOINABLE)
    return EINVAL;
  return attributes_set(attributes, DETACHED, state == PTHREAD_CREATE_DETACHED);
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = attributes_has(attributes, DETACHED) ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE;
  return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  if (size < SMALLEST_STACK)
    return EINVAL;
  ((struct thread_attributes *)attributes)->stack = size;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size) {
  *size = ((const struct thread_attributes *)attributes)->stack;
  return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  ((struct thread_attributes *)attributes)->guard = size;
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size) {
  *size = ((const struct thread_attributes *)attributes)->guard;
  return 0;
}

/* There is one system, and every thread competes in it. */
int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)attributes;
  return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  return attributes_begin(attributes);
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  return attributes_end(attributes);
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < 0 || type > (int)KIND)
    return EINVAL;
  *attributes_word(attributes) = (*attributes_word(attributes) & ~KIND) | (unsigned)type;
  return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type) {
  *type = (int)(*attributes_word(attributes) & KIND);
  return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared) {
  return attributes_set_shared(attributes, shared);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared) {
  return attributes_get_shared(attributes, shared);
}

/* Priorities only favour some of the schedules that are all explored. */
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol) {
  (void)attributes;
  return protocol >= PTHREAD_PRIO_NONE && protocol <= PTHREAD_PRIO_PROTECT ? 0 : EINVAL;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust) {
  (void)attributes;
  if (robust == PTHREAD_MUTEX_ROBUST)
    __rmc_unsupported("robust mutexes");
  return robust == PTHREAD_MUTEX_STALLED ? 0 : EINVAL;
}

int pthread_condattr_init(pthread_condattr_t *attributes) {
  return attributes_begin(attributes);
}

int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  return attributes_end(attributes);
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_MONOTONIC && clock != CLOCK_REALTIME)
    return EINVAL;
  return attributes_set(attributes, CLOCK_MONOTONIC_USED, clock == CLOCK_MONOTONIC);
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock) {
  *clock = attributes_has(attributes, CLOCK_MONOTONIC_USED) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared) {
  return attributes_set_shared(attributes, shared);
}

int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared) {
  return attributes_get_shared(attributes, shared);
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  return attributes_begin(attributes);
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  return attributes_end(attributes);
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared) {
  return attributes_set_shared(attributes, shared);
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared) {
  return attributes_get_shared(attributes, shared);
}

int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind) {
  (void)attributes;
  if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
    __rmc_unsupported("a reader-writer lock that prefers writers");
  return kind == PTHREAD_RWLOCK_PREFER_READER_NP || kind == PTHREAD_RWLOCK_PREFER_WRITER_NP ? 0 : EINVAL;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  return attributes_begin(attributes);
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  return attributes_end(attributes);
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
  return attributes_set_shared(attributes, shared);
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared) {
  return attributes_get_shared(attributes, shared);
}
