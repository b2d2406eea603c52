/*
 * operator new and operator delete, every form that a program does not replace: [new.delete]. As the standard
 * says, the array forms call the others, so a program that replaces one form replaces those over it.
 *
 * Not covered: memory from one form that another form frees is no violation unless one of them is replaced.
 */
#include <cstdlib>
#include <new>

const std::nothrow_t std::nothrow{};

namespace {
std::new_handler __rmc_new_handler;
}

std::new_handler std::get_new_handler() noexcept {
  return __rmc_new_handler;
}

std::new_handler std::set_new_handler(new_handler handler) noexcept {
  new_handler old = __rmc_new_handler;
  __rmc_new_handler = handler;
  return old;
}

void *operator new(std::size_t size) {
  void *memory;
  while (!(memory = std::malloc(size))) {
    if (!__rmc_new_handler)
      throw std::bad_alloc();
    __rmc_new_handler();
  }
  return memory;
}

void *operator new(std::size_t size, std::align_val_t alignment) {
  void *memory;
  while (!(memory = std::aligned_alloc(static_cast<std::size_t>(alignment), size))) {
    if (!__rmc_new_handler)
      throw std::bad_alloc();
    __rmc_new_handler();
  }
  return memory;
}

void *operator new[](std::size_t size) {
  return operator new(size);
}

void *operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}

void *operator new(std::size_t size, const std::nothrow_t &) noexcept {
  try {
    return operator new(size);
  } catch (...) {
    return nullptr;
  }
}

void *operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  try {
    return operator new(size, alignment);
  } catch (...) {
    return nullptr;
  }
}

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept {
  try {
    return operator new[](size);
  } catch (...) {
    return nullptr;
  }
}

void *operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  try {
    return operator new[](size, alignment);
  } catch (...) {
    return nullptr;
  }
}

void operator delete(void *memory) noexcept {
  std::free(memory);
}

void operator delete(void *memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept {
  operator delete(memory);
}

void operator delete(void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

void operator delete(void *memory, const std::nothrow_t &) noexcept {
  operator delete(memory);
}

void operator delete(void *memory, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete(memory, alignment);
}

void operator delete[](void *memory) noexcept {
  operator delete(memory);
}

void operator delete[](void *memory, std::align_val_t alignment) noexcept {
  operator delete(memory, alignment);
}

void operator delete[](void *memory, std::size_t) noexcept {
  operator delete[](memory);
}

void operator delete[](void *memory, std::size_t, std::align_val_t alignment) noexcept {
  operator delete[](memory, alignment);
}

void operator delete[](void *memory, const std::nothrow_t &) noexcept {
  operator delete[](memory);
}

void operator delete[](void *memory, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  operator delete[](memory, alignment);
}
