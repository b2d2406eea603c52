/*
 * The functions of libatomic and of stdatomic.h, for calls that the compiler does not turn into instructions.
 *
 * As in libatomic, what is as large and as aligned as an access of the processor is one, with the order that
 * is asked for; anything else is copied under a lock. The lock is one for all objects, and taking and releasing
 * it are full fences, as with libatomic's. For data races it orders nothing: that does the order that is asked
 * for, which the accesses to the bytes have.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned __int128 wide;

static pthread_mutex_t __rmc_atomic_lock = PTHREAD_MUTEX_INITIALIZER;

void __rmc_bare_lock(pthread_mutex_t *mutex);
void __rmc_bare_unlock(pthread_mutex_t *mutex);

/* Runs OPERATION with a constant order, as the built-in functions want it. */
#define FOR_LOADS(order, operation)        \
  switch (order) {                         \
  case __ATOMIC_RELAXED:                   \
    operation(__ATOMIC_RELAXED);           \
    break;                                 \
  case __ATOMIC_CONSUME:                   \
  case __ATOMIC_ACQUIRE:                   \
    operation(__ATOMIC_ACQUIRE);           \
    break;                                 \
  default:                                 \
    operation(__ATOMIC_SEQ_CST);           \
  }
#define FOR_STORES(order, operation)       \
  switch (order) {                         \
  case __ATOMIC_RELAXED:                   \
    operation(__ATOMIC_RELAXED);           \
    break;                                 \
  case __ATOMIC_RELEASE:                   \
    operation(__ATOMIC_RELEASE);           \
    break;                                 \
  default:                                 \
    operation(__ATOMIC_SEQ_CST);           \
  }
/* Read-modify-writes are locked instructions on x86, whatever their order: the strongest names them all. */
#define SIZED(size, type)                                                                                             \
  static void support_load_##size(const void *object, void *value, int order) {                                      \
    __attribute__((unused)) type loaded;                                                                              \
    _Static_assert(sizeof(type) == size, "a type of this size");                                                      \
    const type *from = object;                                                                                        \
    FOR_LOADS(order, LOAD)                                                                                            \
    *(type *)value = loaded;                                                                                          \
  }                                                                                                                   \
  static void support_store_##size(void *object, const void *value, int order) {                                     \
    type *to = object, stored = *(const type *)value;                                                                 \
    FOR_STORES(order, STORE)                                                                                          \
  }                                                                                                                   \
  static void support_exchange_##size(void *object, const void *value, void *old) {                                  \
    *(type *)old = __atomic_exchange_n((type *)object, *(const type *)value, __ATOMIC_SEQ_CST);                       \
  }                                                                                                                   \
  static bool support_compare_##size(void *object, void *expected, const void *desired) {                            \
    type seen = *(type *)expected;                                                                                    \
    bool same = __atomic_compare_exchange_n((type *)object, &seen, *(const type *)desired, false, __ATOMIC_SEQ_CST,   \
                                            __ATOMIC_SEQ_CST);                                                        \
    if (!same)                                                                                                        \
      *(type *)expected = seen;                                                                                       \
    return same;                                                                                                      \
  }
#define LOAD(order) loaded = __atomic_load_n(from, order)
#define STORE(order) __atomic_store_n(to, stored, order)

SIZED(1, uint8_t)
SIZED(2, uint16_t)
SIZED(4, uint32_t)
SIZED(8, uint64_t)
SIZED(16, wide)

/* The size of the one access that an operation is; 0: it needs the lock. */
static size_t support_whole(size_t size, const volatile void *object) {
  bool fits = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
  return fits && (uintptr_t)object % size == 0 ? size : 0;
}

static void support_load_bytes(size_t size, const void *object, void *value, int order) {
  for (size_t at = 0; at < size; at++) {
    unsigned char loaded;
    const unsigned char *from = (const unsigned char *)object + at;
    FOR_LOADS(order, LOAD)
    ((unsigned char *)value)[at] = loaded;
  }
}

static void support_store_bytes(size_t size, void *object, const void *value, int order) {
  for (size_t at = 0; at < size; at++) {
    unsigned char *to = (unsigned char *)object + at, stored = ((const unsigned char *)value)[at];
    FOR_STORES(order, STORE)
  }
}

static void support_exchange_bytes(size_t size, void *object, const void *value, void *old, int order) {
  for (size_t at = 0; at < size; at++)
    ((unsigned char *)old)[at] =
        __atomic_exchange_n((unsigned char *)object + at, ((const unsigned char *)value)[at], order);
}

#define FOR_SIZE(size, object, operation) \
  switch (support_whole(size, object)) {  \
  case 1:                                 \
    operation(1);                         \
    break;                                \
  case 2:                                 \
    operation(2);                         \
    break;                                \
  case 4:                                 \
    operation(4);                         \
    break;                                \
  case 8:                                 \
    operation(8);                         \
    break;                                \
  case 16:                                \
    operation(16);                        \
    break;                                \
  }

/* clang knows the names without a size as built-in functions of another type. */
void support_load(size_t size, const void *object, void *value, int order) __asm__("__atomic_load");
void support_store(size_t size, void *object, const void *value, int order) __asm__("__atomic_store");
void support_exchange(size_t size, void *object, const void *value, void *old, int order) __asm__("__atomic_exchange");
bool support_compare(size_t size, void *object, void *expected, const void *desired, int success,
                     int failure) __asm__("__atomic_compare_exchange");
bool support_lock_free(size_t size, const volatile void *object) __asm__("__atomic_is_lock_free");

void support_load(size_t size, const void *object, void *value, int order) {
#define OPERATION(size) support_load_##size(object, value, order); return
  FOR_SIZE(size, object, OPERATION)
#undef OPERATION
  __rmc_bare_lock(&__rmc_atomic_lock);
  support_load_bytes(size, object, value, order);
  __rmc_bare_unlock(&__rmc_atomic_lock);
}

void support_store(size_t size, void *object, const void *value, int order) {
#define OPERATION(size) support_store_##size(object, value, order); return
  FOR_SIZE(size, object, OPERATION)
#undef OPERATION
  __rmc_bare_lock(&__rmc_atomic_lock);
  support_store_bytes(size, object, value, order);
  __rmc_bare_unlock(&__rmc_atomic_lock);
}

void support_exchange(size_t size, void *object, const void *value, void *old, int order) {
#define OPERATION(size) support_exchange_##size(object, value, old); return
  FOR_SIZE(size, object, OPERATION)
#undef OPERATION
  __rmc_bare_lock(&__rmc_atomic_lock);
  support_exchange_bytes(size, object, value, old, order);
  __rmc_bare_unlock(&__rmc_atomic_lock);
}

bool support_compare(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
#define OPERATION(size) return support_compare_##size(object, expected, desired)
  FOR_SIZE(size, object, OPERATION)
#undef OPERATION
  __rmc_bare_lock(&__rmc_atomic_lock);
  bool same = true;
  for (size_t at = 0; same && at < size; at++) {
    unsigned char seen;
    support_load_bytes(1, (const unsigned char *)object + at, &seen, __ATOMIC_RELAXED);
    same = seen == ((unsigned char *)expected)[at];
  }
  if (same) {
    /* If what was there were not used, LLVM would make a store of it, which ends release sequences. */
    unsigned char was_there = 1;
    for (size_t at = 0; at < size; at++) {
      unsigned char old;
      support_exchange_bytes(1, (unsigned char *)object + at, (const unsigned char *)desired + at, &old, success);
      was_there &= old == ((unsigned char *)expected)[at];
    }
    same = was_there;
  } else {
    support_load_bytes(size, object, expected, failure);
  }
  __rmc_bare_unlock(&__rmc_atomic_lock);
  return same;
}

bool support_lock_free(size_t size, const volatile void *object) {
  return support_whole(size, object) != 0;
}

/* The sized functions that clang calls without -mcx16. */
wide support_load_wide(const wide *object, int order) __asm__("__atomic_load_16");
void support_store_wide(wide *object, wide value, int order) __asm__("__atomic_store_16");
wide support_exchange_wide(wide *object, wide value, int order) __asm__("__atomic_exchange_16");
bool support_compare_wide(wide *object, wide *expected, wide desired, int success,
                          int failure) __asm__("__atomic_compare_exchange_16");

wide support_load_wide(const wide *object, int order) {
  wide value;
  support_load_16(object, &value, order);
  return value;
}

void support_store_wide(wide *object, wide value, int order) {
  support_store_16(object, &value, order);
}

wide support_exchange_wide(wide *object, wide value, int order) {
  wide old;
  (void)order;
  support_exchange_16(object, &value, &old);
  return old;
}

bool support_compare_wide(wide *object, wide *expected, wide desired, int success, int failure) {
  (void)success, (void)failure;
  return support_compare_16(object, expected, &desired);
}

#define UPDATE(name, built_in)                                                                                       \
  wide support_##name(wide *object, wide operand, int order) __asm__("__atomic_fetch_" #name "_16");                 \
  wide support_##name(wide *object, wide operand, int order) {                                                       \
    (void)order;                                                                                                      \
    return built_in(object, operand, __ATOMIC_SEQ_CST);                                                               \
  }
UPDATE(add, __atomic_fetch_add)
UPDATE(sub, __atomic_fetch_sub)
UPDATE(and, __atomic_fetch_and)
UPDATE(or, __atomic_fetch_or)
UPDATE(xor, __atomic_fetch_xor)

/* stdatomic.h, whose macros of these names a program may avoid. */

void(atomic_thread_fence)(memory_order order) {
  switch (order) {
  case memory_order_relaxed:
    break;
  case memory_order_consume:
  case memory_order_acquire:
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    break;
  case memory_order_release:
    __atomic_thread_fence(__ATOMIC_RELEASE);
    break;
  case memory_order_acq_rel:
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
    break;
  default:
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

void(atomic_signal_fence)(memory_order order) {
  (void)order;
}

bool(atomic_flag_test_and_set)(volatile atomic_flag *flag) {
  return __atomic_test_and_set(flag, __ATOMIC_SEQ_CST);
}

bool(atomic_flag_test_and_set_explicit)(volatile atomic_flag *flag, memory_order order) {
  (void)order;
  return __atomic_test_and_set(flag, __ATOMIC_SEQ_CST);
}

void(atomic_flag_clear)(volatile atomic_flag *flag) {
  __atomic_clear(flag, __ATOMIC_SEQ_CST);
}

void(atomic_flag_clear_explicit)(volatile atomic_flag *flag, memory_order order) {
  switch (order) {
  case memory_order_relaxed:
    __atomic_clear(flag, __ATOMIC_RELAXED);
    break;
  case memory_order_release:
    __atomic_clear(flag, __ATOMIC_RELEASE);
    break;
  default:
    __atomic_clear(flag, __ATOMIC_SEQ_CST);
  }
}
