/*
 * operator new and operator delete, every form that a program does not replace: [new.delete]. As the
 * standard says, the array forms call the others, so a program that replaces one form replaces those over it.
 * All forms are weak: where the program defines one, the others call that.
 *
 * Where nothing is replaced, memory is of the form that made it, and only that form may end it
 * (src/system/library/forms.rs).
 */
#include <cstdlib>
#include <new>

#define REPLACEABLE [[gnu::weak]]

extern "C" {
/* Memory of one form; null if there is none. */
void *__rmc_new(std::size_t size);
void *__rmc_new_array(std::size_t size);
void *__rmc_new_aligned(std::size_t alignment, std::size_t size);
void *__rmc_new_aligned_array(std::size_t alignment, std::size_t size);
/* The end of memory, which must be of that form or null. */
void __rmc_delete(void *memory);
void __rmc_delete_array(void *memory);
void __rmc_delete_aligned(void *memory);
void __rmc_delete_aligned_array(void *memory);
/* Does nothing: a function that calls it is one of these here, not the program's. */
void __rmc_is_default(void);
/* True if the program defines this function itself. */
bool __rmc_is_replaced(const void *function);
}

const std::nothrow_t std::nothrow{};

namespace {
std::new_handler __rmc_new_handler;

/* Memory, after the handler that the program installed has made room if there was none. */
template <typename Make> void *insistently(Make make) {
  void *memory;
  while (!(memory = make())) {
    if (!__rmc_new_handler)
      throw std::bad_alloc();
    __rmc_new_handler();
  }
  return memory;
}

/* The result of another form; null where that throws. */
template <typename Make> void *without_throwing(Make make) noexcept {
  try {
    return make();
  } catch (...) {
    return nullptr;
  }
}

template <typename Function> bool is_replaced(Function *function) {
  return __rmc_is_replaced(reinterpret_cast<const void *>(function));
}
}

std::new_handler std::get_new_handler() noexcept {
  return __rmc_new_handler;
}

std::new_handler std::set_new_handler(new_handler handler) noexcept {
  new_handler old = __rmc_new_handler;
  __rmc_new_handler = handler;
  return old;
}

REPLACEABLE void *operator new(std::size_t size) {
  __rmc_is_default();
  return insistently([=] { return __rmc_new(size); });
}

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment) {
  __rmc_is_default();
  return insistently([=] { return __rmc_new_aligned(static_cast<std::size_t>(alignment), size); });
}

REPLACEABLE void *operator new[](std::size_t size) {
  __rmc_is_default();
  if (is_replaced<void *(std::size_t)>(operator new))
    return operator new(size);
  return insistently([=] { return __rmc_new_array(size); });
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment) {
  __rmc_is_default();
  if (is_replaced<void *(std::size_t, std::align_val_t)>(operator new))
    return operator new(size, alignment);
  return insistently([=] { return __rmc_new_aligned_array(static_cast<std::size_t>(alignment), size); });
}

REPLACEABLE void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
  __rmc_is_default();
  return without_throwing([=] { return operator new(size); });
}

REPLACEABLE void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  __rmc_is_default();
  return without_throwing([=] { return operator new(size, alignment); });
}

REPLACEABLE void *operator new[](std::size_t size, const std::nothrow_t &) noexcept {
  __rmc_is_default();
  return without_throwing([=] { return operator new[](size); });
}

REPLACEABLE void *operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  __rmc_is_default();
  return without_throwing([=] { return operator new[](size, alignment); });
}

REPLACEABLE void operator delete(void *memory) noexcept {
  __rmc_is_default();
  __rmc_delete(memory);
}

REPLACEABLE void operator delete(void *memory, std::align_val_t) noexcept {
  __rmc_is_default();
  __rmc_delete_aligned(memory);
}

REPLACEABLE void operator delete(void *memory, std::size_t) noexcept {
  operator delete(memory);
}

REPLACEABLE void operator delete(void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

REPLACEABLE void operator delete(void *memory, const std::nothrow_t &) noexcept {
  operator delete(memory);
}

REPLACEABLE void operator delete(void *memory, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete(memory, alignment);
}

REPLACEABLE void operator delete[](void *memory) noexcept {
  if (is_replaced<void(void *) noexcept>(operator delete))
    operator delete(memory);
  else
    __rmc_delete_array(memory);
}

REPLACEABLE void operator delete[](void *memory, std::align_val_t alignment) noexcept {
  if (is_replaced<void(void *, std::align_val_t) noexcept>(operator delete))
    operator delete(memory, alignment);
  else
    __rmc_delete_aligned_array(memory);
}

REPLACEABLE void operator delete[](void *memory, std::size_t) noexcept {
  operator delete[](memory);
}

REPLACEABLE void operator delete[](void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete[](memory, alignment);
}

REPLACEABLE void operator delete[](void *memory, const std::nothrow_t &) noexcept {
  operator delete[](memory);
}

REPLACEABLE void operator delete[](void *memory, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete[](memory, alignment);
}

#undef REPLACEABLE
