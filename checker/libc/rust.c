/*
 * Functions of Rust's standard library that work on the machine, and the end of a panic: the pass rmc-rust
 * calls these in place of std's own (pass/src/rust/names.rs). They take and return what rustc 1.63 or 1.95
 * gives them, by its ABI.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

_Noreturn void __rmc_unsupported(const char *what);
/* Modelled: a violation with this text, which need not end with a zero. */
_Noreturn void __rmc_panic(const char *text, size_t length);
int __rmc_futex_wait(const void *word, uint32_t expected, uint32_t bits, const struct timespec *until);
struct timespec __rmc_end_of_wait(struct timespec duration);

/*
 * std::panicking::rust_panic_with_hook. Every panic comes here, before hooks run, and is a violation unless
 * panics unwind (rust_unwind.c) and something catches it; the message is formatted by core::fmt::write, in
 * which the values' own code runs. Without memory, the message ends early.
 */

struct rust_text {
  char *bytes;
  size_t length, room;
};

static bool support_write_str(struct rust_text *text, const char *bytes, size_t length) {
  if (text->room - text->length < length) {
    text->room = 2 * (text->length + length);
    char *longer = realloc(text->bytes, text->room);
    if (!longer)
      __rmc_panic(text->bytes, text->length);
    text->bytes = longer;
  }
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  return false;
}

static bool support_write_char(struct rust_text *text, uint32_t character) {
  char bytes[4];
  if (character < 0x80) {
    bytes[0] = (char)character;
    return support_write_str(text, bytes, 1);
  }
  size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t at = length; at-- > 1; character >>= 6)
    bytes[at] = (char)(0x80 | (character & 0x3f));
  bytes[0] = (char)((0xf00 >> length & 0xff) | character);
  return support_write_str(text, bytes, length);
}

static bool support_write_fmt(struct rust_text *text, void *arguments);

static void support_forget_writer(struct rust_text *text) {
  (void)text;
}

/* The table of `dyn core::fmt::Write`. */
static const struct {
  void (*drop)(struct rust_text *);
  size_t size, align;
  bool (*write_str)(struct rust_text *, const char *, size_t);
  bool (*write_char)(struct rust_text *, uint32_t);
  bool (*write_fmt)(struct rust_text *, void *);
} __rmc_rust_writer = {support_forget_writer, sizeof(struct rust_text), _Alignof(struct rust_text),
                       support_write_str, support_write_char,       support_write_fmt};

bool __rmc_rust_write(void *writer, const void *table, void *arguments);

static bool support_write_fmt(struct rust_text *text, void *arguments) {
  return __rmc_rust_write(text, &__rmc_rust_writer, arguments);
}

/* A variable of programs that are tests (rust/crates/test.rs). */
extern const char __rmc_test __attribute__((weak));

/* The panic that a test with #[should_panic] is to end with, set before its threads begin. */
static struct {
  bool is_expected;
  pthread_t thread;
  const char *text;
  size_t length;
} support_expected;

void __rmc_rust_expect_panic(const char *text, size_t length) {
  support_expected.is_expected = true;
  support_expected.thread = pthread_self();
  support_expected.text = text;
  support_expected.length = length;
}

void __rmc_rust_expect_no_panic(void) {
  support_expected.is_expected = false;
}

/* Ends the execution without a violation if this panic is the expected one, else with one. */
_Noreturn static void support_panic(const char *text, size_t length) {
  /* Other programs load nothing here. */
  if (&__rmc_test && support_expected.is_expected) {
    if (!pthread_equal(pthread_self(), support_expected.thread))
      __rmc_unsupported("a panic of another thread in a test with #[should_panic] (without --panic=unwind)");
    if (memmem(text, length, support_expected.text, support_expected.length))
      _exit(0);
  }
  __rmc_panic(text, length);
}

/* std's own function, in programs whose panics unwind. */
_Noreturn void __rmc_rust_unwind(void *payload, const void *table, void *message, const void *place, bool can_unwind)
    __attribute__((weak));
/* Modelled: true if something catches an exception of the running thread. */
bool __rmc_is_caught(void);

/* The panics of a thread that unwind now (rust_unwind.c). */
static __thread int __rmc_unwinding;

bool __rmc_rust_is_caught(bool can_unwind) {
  return &__rmc_rust_unwind && can_unwind && __rmc_is_caught();
}

_Noreturn void __rmc_rust_panicked(const char *text, size_t length) {
  support_panic(text, length);
}

/* The number of the type &'static str (std::any::TypeId) in rustc 1.63. */
#define STR_TYPE 0xb8ae3dc722b9f20bUL

/* &'static str. */
struct rust_str {
  const char *bytes;
  size_t length;
};

/* &dyn core::any::Any. */
struct rust_any {
  const void *value;
  const struct {
    void (*drop)(void *);
    size_t size, align;
    uint64_t (*type)(const void *);
  } *table;
};

/* The table of `dyn core::panic::BoxMeUp`. */
struct rust_payload {
  void (*drop)(void *);
  size_t size, align;
  struct rust_any (*take)(void *);
  struct rust_any (*get)(void *);
};

/*
 * Without a message the payload is a value of any type (std::panic::panic_any), or the text of a `panic!`
 * without arguments in a crate of an edition before 2021.
 */
_Noreturn static void support_panic_with(void *payload, const struct rust_payload *table) {
  struct rust_any any = table->get(payload);
  if (any.table->type(any.value) == STR_TYPE) {
    const struct rust_str *text = any.value;
    support_panic(text->bytes, text->length);
  }
  static const char __rmc_any[] = "a value that is no text";
  support_panic(__rmc_any, sizeof __rmc_any - 1);
}

/*
 * The beginning of a panic of rustc 1.63; that of later ones is rust/crates/panics.rs. A panic while another
 * one unwinds ends the process.
 */
void __rmc_rust_panic(void *payload, const void *table, void *message, const void *place, bool can_unwind) {
  if (__rmc_rust_is_caught(can_unwind) && __rmc_unwinding == 0)
    __rmc_rust_unwind(payload, table, message, place, can_unwind);
  if (!message)
    support_panic_with(payload, table);
  char *bytes = malloc(64);
  struct rust_text text = {bytes, 0, bytes ? 64 : 0};
  __rmc_rust_write(&text, &__rmc_rust_writer, message);
  support_panic(text.bytes, text.length);
}

/* std::sys::unix::stack_overflow::imp::init: makes a stack for the handler of overflows of the others. */
void __rmc_rust_nothing(void) {
}

/* The text of a backtrace, which the environment does not ask for. */
bool __rmc_rust_no_text(const void *backtrace, void *formatter) {
  (void)backtrace;
  (void)formatter;
  return false;
}

/* std::panicking::default_hook: prints the panic's message, which is not the program's output. */
void __rmc_rust_hook(const void *panic) {
  (void)panic;
}

/* std::sync::mpmc::utils::Backoff: spins before another attempt, and counts how often. */
void __rmc_rust_no_backoff(void *backoff) {
  (void)backoff;
}

/* std::sys::pal::unix::stack_overflow::imp::make_handler: the stack that it makes: none. */
void *__rmc_rust_no_handler(bool is_main) {
  (void)is_main;
  return NULL;
}

/* The same of rustc 1.63. */
void *__rmc_rust_no_handler_here(void) {
  return NULL;
}

/* std::sys::pal::unix::stack_overflow::imp::drop_handler: gives that stack back. */
void __rmc_rust_drop_no_handler(void *handler) {
  (void)handler;
}

/* std::sys_common::thread::min_stack: the environment asks for no other size. */
size_t __rmc_rust_min_stack(void) {
  return 2 << 20;
}

/* std::thread::Thread::cname: the name that a new thread tells the system, which nobody asks for: none. */
struct rust_str __rmc_rust_no_name(const void *thread) {
  (void)thread;
  return (struct rust_str){NULL, 0};
}

/* std::sys::thread_local::guard::key::enable::run, std's own, which ends what std has for a thread. */
void __rmc_rust_run_guard(void *value) __attribute__((weak));
void __rmc_guard_thread(void (*destructor)(void *));

/* std::sys::thread_local::guard::key::enable: has it run at the end of the thread. */
void __rmc_rust_enable_guard(void) {
  __rmc_guard_thread(__rmc_rust_run_guard);
}

void __rmc_take(void *object);

/* The closure that std::thread gives to a new thread, which it has on the heap: it is the thread's own. */
struct rust_closure {
  void *data;
  const void *table;
};

/* The beginning of std's thread_start of rustc 1.63. */
void __rmc_rust_take_closure(struct rust_closure *given) {
  __rmc_take(given);
  __rmc_take(given->data);
}

/* The same of rustc 1.95, where a handle of the thread, which others have, too, comes first. */
struct rust_start {
  void *thread;
  struct rust_closure closure;
};

void __rmc_rust_take_start(struct rust_start *given) {
  __rmc_take(given);
  __rmc_take(given->closure.data);
}

/* pthread_getattr_np for std::rt, which looks for a guard page, for the same handler: there is none. */
int __rmc_rust_no_stack(pthread_t thread, pthread_attr_t *attributes) {
  (void)thread;
  (void)attributes;
  return ENOMEM;
}

/* std::sys::unix::thread::guard: the addresses of the guard page, for the same handler: none. */
void __rmc_rust_no_guard(uint64_t *guard) {
  *guard = 0;
}

/*
 * std::io::set_output_capture. Only the test harness of unstable Rust gives it something; it returns that
 * nothing was captured.
 */
void *__rmc_rust_set_output_capture(void *capture) {
  if (capture)
    __rmc_unsupported("`std::io::set_output_capture`");
  return NULL;
}

/* Option<Duration>. */
struct rust_time {
  uint64_t is_some, seconds;
  uint32_t nanoseconds;
};

/*
 * std::sys::unix::futex::futex_wait, whose result is false if the time was over. A time too late for the
 * clock never comes.
 */
bool __rmc_rust_futex_wait(const void *word, uint32_t expected, const struct rust_time *time) {
  bool timed = time->is_some && time->seconds < LONG_MAX / 2;
  struct timespec until;
  if (timed)
    until = __rmc_end_of_wait((struct timespec){(time_t)time->seconds, time->nanoseconds});
  return __rmc_futex_wait(word, expected, FUTEX_BITSET_MATCH_ANY, timed ? &until : NULL) != ETIMEDOUT;
}

/* std::sys::unix::rand::hashmap_random_keys: fixed, so the order of a HashMap is one of those it can have. */
struct rust_keys {
  uint64_t one, other;
};

struct rust_keys __rmc_rust_hash_keys(void) {
  return (struct rust_keys){0x0123456789abcdef, 0xfedcba9876543210};
}

long __rmc_processors(void);

/* std::io::Result<NonZero<usize>>: the number, or an error. */
struct rust_processors {
  uint64_t is_error, number;
};

/* std::thread::available_parallelism. */
struct rust_processors __rmc_rust_processors_pair(void) {
  long count = __rmc_processors();
  if (count == 0)
    __rmc_unsupported("`std::thread::available_parallelism` without --processors N");
  return (struct rust_processors){false, (uint64_t)count};
}

/* The same of rustc 1.63. */
void __rmc_rust_processors(struct rust_processors *result) {
  *result = __rmc_rust_processors_pair();
}

/* std::sys::pal::unix::time::Timespec::now, where a wait with a duration begins. */
struct rust_now {
  int64_t seconds;
  uint32_t nanoseconds;
};

struct rust_now __rmc_rust_time_of_wait(int clock) {
  (void)clock;
  struct timespec now = __rmc_end_of_wait((struct timespec){0, 0});
  return (struct rust_now){now.tv_sec, (uint32_t)now.tv_nsec};
}

_Noreturn void __rmc_rust_backtrace(void *backtrace, size_t from) {
  (void)backtrace;
  (void)from;
  __rmc_unsupported("`std::backtrace`");
}

/* Symbols of other versions of the C library, which std looks up. */
void *dlsym(void *library, const char *name) {
  (void)library;
  if (strcmp(name, "__pthread_get_minstack") != 0)
    __rmc_unsupported("`dlsym`");
  return NULL;
}

/* The thread's name, which nobody reads. */
int prctl(int option, ...) {
  if (option != PR_SET_NAME)
    __rmc_unsupported("`prctl` with another option than PR_SET_NAME");
  return pthread_setname_np(pthread_self(), "");
}
