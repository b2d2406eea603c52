/*
 * Threads: what calls back into the program (once routines, destructors of thread-specific data, cleanup handlers), and what sets errno.
 * Locks, waiting and everything else that needs atomicity is modelled in the checker, which these functions call by names that begin with __rmc_.
 */
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
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

int __rmc_once_has_run(const void *control);
int __rmc_once(void *control);
void __rmc_once_end(void *control);
void __rmc_once_undo(void *control);
int __rmc_sem_trywait(sem_t *semaphore);
int __rmc_sem_timedwait(sem_t *semaphore, const struct timespec *time);
int __rmc_sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time);
int __rmc_futex_wait(const void *word, uint32_t expected, uint32_t bits, const struct timespec *until);
int __rmc_futex_wake(const void *word, uint32_t most, uint32_t bits);
long __rmc_futex_requeue(const void *word, uint32_t most, uint32_t moved, const void *other, int compares, uint32_t expected);
int __rmc_membarrier(void);
_Noreturn void __rmc_syscall(long number, long operation);
_Noreturn void __rmc_unsupported(const char *what);
_Noreturn void __rmc_invalid_key(unsigned key);
void *__rmc_allocate(size_t size);
_Noreturn void __rmc_leave_thread(void *result);

/* C++ headers count references without atomic operations where this says so. */
const char __libc_single_threaded = 0;

/* Once. A routine that leaves by a C++ exception has not run. */

struct once_run {
  void *control;
  bool has_run;
};

static void leave_once(struct once_run *run) {
  if (run->has_run)
    __rmc_once_end(run->control);
  else
    __rmc_once_undo(run->control);
}

/* A routine that has run is found by a load: nothing is a fence then, as in the C library. */
static void run_once(void *control, void (*routine)(void)) {
  if (!__rmc_once_has_run(control) && __rmc_once(control)) {
    __attribute__((cleanup(leave_once))) struct once_run run = {control, false};
    routine();
    run.has_run = true;
  }
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  run_once(control, routine);
  return 0;
}

void call_once(once_flag *flag, void (*routine)(void)) {
  run_once(flag, routine);
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

/* Variables of threads with destructors, which C++ registers here. Destructors run last registered first, and before those of keys. */
struct local_variable {
  void (*destructor)(void *);
  void *variable;
  struct local_variable *before;
};

static _Thread_local struct local_variable *__rmc_locals;

static void end_locals(void) {
  while (__rmc_locals) {
    struct local_variable *last = __rmc_locals;
    __rmc_locals = last->before;
    last->destructor(last->variable);
    free(last);
  }
}

int __cxa_thread_atexit(void (*destructor)(void *), void *variable, void *library) {
  (void)library;
  struct local_variable *new = __rmc_allocate(sizeof *new);
  *new = (struct local_variable){destructor, variable, __rmc_locals};
  __rmc_locals = new;
  __rmc_end_of_locals = end_locals;
  return 0;
}

/* What libstdc++ calls so is glibc's own, which Rust's library calls itself. */
int __cxa_thread_atexit_impl(void (*destructor)(void *), void *variable, void *library) {
  return __cxa_thread_atexit(destructor, variable, library);
}

/* In place of the destructor of a key that Rust's library has: without the key, which threads would share. */
static _Thread_local void (*__rmc_guard)(void *);

void __rmc_guard_thread(void (*destructor)(void *)) {
  __rmc_guard = destructor;
}

/* A thread that has variables or keys' values runs this at its end, in place of all its functions. */
void *__rmc_thread_end(void *result) {
  if (__rmc_end_of_locals)
    __rmc_end_of_locals();
  if (__rmc_guard)
    __rmc_guard(NULL);
  for (int round = 0; round < TSS_DTOR_ITERATIONS && destroy_values(); round++)
    ;
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

/* Semaphores. */

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

struct timespec __rmc_end_of_wait(struct timespec duration);

static long futex_call(uint32_t *word, int operation, uint32_t value, const struct timespec *time, uint32_t bits) {
  switch (operation & FUTEX_CMD_MASK) {
  case FUTEX_WAIT: {
    /* The time is a duration. */
    struct timespec until;
    if (time)
      until = __rmc_end_of_wait(*time);
    return with_errno(__rmc_futex_wait(word, value, FUTEX_BITSET_MATCH_ANY, time ? &until : NULL));
  }
  case FUTEX_WAIT_BITSET:
    return bits == 0 ? with_errno(EINVAL) : with_errno(__rmc_futex_wait(word, value, bits, time));
  case FUTEX_WAKE:
    return __rmc_futex_wake(word, value, FUTEX_BITSET_MATCH_ANY);
  case FUTEX_WAKE_BITSET:
    return bits == 0 ? with_errno(EINVAL) : __rmc_futex_wake(word, value, bits);
  default:
    __rmc_syscall(SYS_futex, operation & FUTEX_CMD_MASK);
  }
}

/* Numbers of threads are signed, and none may be negative. */
static long requeue_call(uint32_t *word, int command, uint32_t most, va_list rest) {
  uint32_t moved = (uint32_t)va_arg(rest, unsigned long);
  uint32_t *other = va_arg(rest, uint32_t *);
  bool compares = command == FUTEX_CMP_REQUEUE;
  uint32_t expected = compares ? va_arg(rest, uint32_t) : 0;
  if ((int)most < 0 || (int)moved < 0)
    return with_errno(EINVAL);
  long threads = __rmc_futex_requeue(word, most, moved, other, compares, expected);
  return threads < 0 ? with_errno(EAGAIN) : threads;
}

static _Atomic bool __rmc_is_membarrier_registered;

static long membarrier_call(int command, unsigned flags) {
  if (flags != 0)
    return with_errno(EINVAL);
  switch (command) {
  case MEMBARRIER_CMD_QUERY:
    return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
  case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:
    __rmc_is_membarrier_registered = true;
    return 0;
  case MEMBARRIER_CMD_PRIVATE_EXPEDITED:
    return __rmc_is_membarrier_registered ? __rmc_membarrier() : with_errno(EPERM);
  case MEMBARRIER_CMD_GLOBAL:
    return __rmc_membarrier();
  default:
    return with_errno(EINVAL);
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
    if (command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE) {
      result = requeue_call(word, command, value, arguments);
      break;
    }
    /* Wakes are often called without the arguments that only waits look at. */
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
    bool has_bits = command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET;
    const struct timespec *time = waits || has_bits ? va_arg(arguments, const struct timespec *) : NULL;
    if (has_bits)
      (void)va_arg(arguments, uint32_t *);
    result = futex_call(word, operation, value, waits ? time : NULL, has_bits ? va_arg(arguments, uint32_t) : 0);
    break;
  }
  case SYS_membarrier: {
    int command = va_arg(arguments, int);
    result = membarrier_call(command, va_arg(arguments, unsigned));
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

/* Nothing cancels a thread (pthread_cancel has no model), so these are only remembered. */
static _Thread_local int __rmc_cancel_state = PTHREAD_CANCEL_ENABLE, __rmc_cancel_type = PTHREAD_CANCEL_DEFERRED;

static int support_remember(int *kept, int new, int *old, int one, int other) {
  if (new != one && new != other)
    return EINVAL;
  if (old)
    *old = *kept;
  *kept = new;
  return 0;
}

int pthread_setcancelstate(int state, int *old) {
  return support_remember(&__rmc_cancel_state, state, old, PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE);
}

int pthread_setcanceltype(int type, int *old) {
  return support_remember(&__rmc_cancel_type, type, old, PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS);
}

void pthread_testcancel(void) {
}
