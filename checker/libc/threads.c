/*
 * Threads: what only computes over memory (attributes), what calls back into the program (once routines, destructors of thread-specific data), and what sets errno.
 * Locks, waiting and everything else that needs atomicity is modelled in the checker, which these functions call by names that begin with __rmc_.
 */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int __rmc_once(void *control);
void __rmc_once_end(void *control);
int __rmc_sem_trywait(sem_t *semaphore);
int __rmc_sem_timedwait(sem_t *semaphore, const struct timespec *time);
int __rmc_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time);
int __rmc_futex_wait(const void *word, uint32_t expected, uint32_t bits, int timed);
int __rmc_futex_wake(const void *word, uint32_t most, uint32_t bits);
_Noreturn void __rmc_syscall(long number, long operation);
_Noreturn void __rmc_unsupported(const char *what);
_Noreturn void __rmc_invalid_key(unsigned key);
_Noreturn void __rmc_leave_thread(void *result);

/*
 * Attributes. The first word of each attribute object is ATTRIBUTES and the bits that matter; the models read it (src/system/library/sync.rs). A
 * destroyed one is no attribute object any more.
 */
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

/* Once. */

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  if (__rmc_once(control)) {
    routine();
    __rmc_once_end(control);
  }
  return 0;
}

void call_once(once_flag *flag, void (*routine)(void)) {
  if (__rmc_once(flag)) {
    routine();
    __rmc_once_end(flag);
  }
}

/*
 * Thread-specific data. A deleted key's number is not given away again, so that no thread finds a value of the old key under the new one: that bounds the keys that
 * a program may make in all.
 */
#define KEYS 64u

enum key_state { KEY_NEVER, KEY_MADE, KEY_DELETED };

struct key {
  unsigned state;
  void (*destructor)(void *);
};

static struct key __rmc_keys[KEYS];
static _Thread_local void *__rmc_values[KEYS];

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  for (unsigned at = 0; at < KEYS; at++) {
    unsigned never = KEY_NEVER;
    if (__atomic_load_n(&__rmc_keys[at].state, __ATOMIC_RELAXED) == KEY_NEVER &&
        __atomic_compare_exchange_n(&__rmc_keys[at].state, &never, KEY_MADE, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      __rmc_keys[at].destructor = destructor;
      *key = at;
      return 0;
    }
  }
  __rmc_unsupported("more than 64 keys for thread-specific data in all");
}

static void check_key(unsigned key) {
  if (key >= KEYS || __atomic_load_n(&__rmc_keys[key].state, __ATOMIC_RELAXED) != KEY_MADE)
    __rmc_invalid_key(key);
}

int pthread_key_delete(pthread_key_t key) {
  check_key(key);
  __atomic_store_n(&__rmc_keys[key].state, KEY_DELETED, __ATOMIC_SEQ_CST);
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  check_key(key);
  __rmc_values[key] = (void *)value;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  check_key(key);
  return __rmc_values[key];
}

int tss_create(tss_t *key, tss_dtor_t destructor) {
  return pthread_key_create(key, destructor) == 0 ? thrd_success : thrd_error;
}

void tss_delete(tss_t key) {
  pthread_key_delete(key);
}

int tss_set(tss_t key, void *value) {
  return pthread_setspecific(key, value) == 0 ? thrd_success : thrd_error;
}

void *tss_get(tss_t key) {
  return pthread_getspecific(key);
}

/* One round: every key's destructor gets the thread's value, which is NULL from then on. Whether there was anything to do. */
static bool destroy_values(void) {
  bool any = false;
  for (unsigned at = 0; at < KEYS; at++) {
    void *value = __rmc_values[at];
    if (!value || __atomic_load_n(&__rmc_keys[at].state, __ATOMIC_RELAXED) != KEY_MADE)
      continue;
    void (*destructor)(void *) = __rmc_keys[at].destructor;
    __rmc_values[at] = NULL;
    if (destructor) {
      destructor(value);
      any = true;
    }
  }
  return any;
}

/* Apart from the caller, whose name says that it is not to be instrumented. */
__attribute__((noinline)) static void end_of_thread(void) {
  for (int round = 0; round < TSS_DTOR_ITERATIONS && destroy_values(); round++)
    ;
}

/* A thread that has keys' values runs this at its end, in place of all its functions. */
void *__rmc_thread_end(void *result) {
  end_of_thread();
  return result;
}

/*
 * Cleanup handlers. pthread_cleanup_push, a macro, fills a buffer in the caller's frame with setjmp and registers it; a thread that exits jumps there, where the handler is
 * called and then __pthread_unwind_next. Programs without such handlers get the model of pthread_exit.
 */
static _Thread_local __pthread_unwind_buf_t *__rmc_cleanups;
static _Thread_local void *__rmc_result;

void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
  buffer->__pad[0] = __rmc_cleanups;
  __rmc_cleanups = buffer;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
  __rmc_cleanups = buffer->__pad[0];
}

static _Noreturn void leave_next_frame(void) {
  if (__rmc_cleanups)
    longjmp((struct __jmp_buf_tag *)(void *)__rmc_cleanups->__cancel_jmp_buf, 1);
  __rmc_leave_thread(__rmc_result);
}

void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
  __rmc_cleanups = buffer->__pad[0];
  leave_next_frame();
}

void pthread_exit(void *result) {
  __rmc_result = result;
  leave_next_frame();
}

/* Semaphores: an error code as the result -1 and in errno. */

static int with_errno(int error) {
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

int sem_trywait(sem_t *semaphore) {
  return with_errno(__rmc_sem_trywait(semaphore));
}

int sem_timedwait(sem_t *semaphore, const struct timespec *time) {
  return with_errno(__rmc_sem_timedwait(semaphore, time));
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
  return with_errno(__rmc_sem_clockwait(semaphore, clock, time));
}

/* System calls. */

static long futex_call(uint32_t *word, int operation, uint32_t value, const struct timespec *time, uint32_t bits) {
  switch (operation & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
    return with_errno(__rmc_futex_wait(word, value, FUTEX_BITSET_MATCH_ANY, time != NULL));
  case FUTEX_WAIT_BITSET:
    return bits == 0 ? with_errno(EINVAL) : with_errno(__rmc_futex_wait(word, value, bits, time != NULL));
  case FUTEX_WAKE:
    return __rmc_futex_wake(word, value, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_WAKE_BITSET:
    return bits == 0 ? with_errno(EINVAL) : __rmc_futex_wake(word, value, bits);
  default:
    __rmc_syscall(SYS_futex, operation & FUTEX_CMD_MASK);
  }
}

long syscall(long number, ...) {
  va_list arguments;
  long result;
  va_start(arguments, number);
  switch (number) {
  case SYS_futex: {
    uint32_t *word = va_arg(arguments, uint32_t *);
    int operation = va_arg(arguments, int);
    uint32_t value = va_arg(arguments, uint32_t);
    int command = operation & FUTEX_CMD_MASK;
    /* Wakes are often called without the arguments that only waits look at. */
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
    bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
    const struct timespec *time = waits || has_bits ? va_arg(arguments, const struct timespec *) : NULL;
    if (has_bits)
      (void)va_arg(arguments, uint32_t *);
    result = futex_call(word, operation, value, waits ? time : NULL, has_bits ? va_arg(arguments, uint32_t) : 0);
    break;
  }
  case SYS_gettid:
    result = gettid();
    break;
  case SYS_getpid:
    result = getpid();
    break;
  case SYS_sched_yield:
    result = sched_yield();
    break;
  default:
    __rmc_syscall(number, 0);
  }
  va_end(arguments);
  return result;
}
