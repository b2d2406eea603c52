/* The exception classes of the standard library, as far as headers only declare them. */
#include <cstring>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>
#include <typeinfo>

/*
 * The text of an exception. Copies share it, since copying may not throw: [exception]. It lies behind the number
 * of its owners.
 */
namespace {
const char *new_text(const char *text, std::size_t length) {
  auto owners = static_cast<long *>(operator new(sizeof(long) + length + 1));
  *owners = 1;
  auto copy = reinterpret_cast<char *>(owners + 1);
  std::memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

long *owners_of(const char *text) {
  return reinterpret_cast<long *>(const_cast<char *>(text)) - 1;
}

const char *share(const char *text) {
  if (text)
    __atomic_add_fetch(owners_of(text), 1, __ATOMIC_ACQ_REL);
  return text;
}

void give_up(const char *text) {
  if (text && __atomic_sub_fetch(owners_of(text), 1, __ATOMIC_ACQ_REL) == 0)
    operator delete(owners_of(text));
}
}

namespace std {
__cow_string::__cow_string() : _M_p(nullptr) {}
__cow_string::__cow_string(const string &text) : _M_p(new_text(text.c_str(), text.size())) {}
__cow_string::__cow_string(const char *text, size_t length) : _M_p(new_text(text, length)) {}
__cow_string::__cow_string(const __cow_string &other) noexcept : _M_p(share(other._M_p)) {}

__cow_string::__cow_string(__cow_string &&other) noexcept : _M_p(other._M_p) {
  other._M_p = nullptr;
}

__cow_string &__cow_string::operator=(const __cow_string &other) noexcept {
  const char *old = _M_p;
  _M_p = share(other._M_p);
  give_up(old);
  return *this;
}

__cow_string &__cow_string::operator=(__cow_string &&other) noexcept {
  const char *moved = other._M_p;
  other._M_p = _M_p;
  _M_p = moved;
  return *this;
}

__cow_string::~__cow_string() {
  give_up(_M_p);
}

/* A class with a text of its own. */
#define WITH_TEXT(name)                                                                                             \
  name::name(const string &text) : _M_msg(text) {}                                                                  \
  name::name(const char *text) : _M_msg(text, strlen(text)) {}                                                      \
  name::name(name &&) noexcept = default;                                                                           \
  name &name::operator=(name &&) noexcept = default;                                                                \
  name::name(const name &) noexcept = default;                                                                      \
  name &name::operator=(const name &) noexcept = default;                                                           \
  name::~name() noexcept = default;                                                                                 \
  const char *name::what() const noexcept {                                                                         \
    return _M_msg._M_p ? _M_msg._M_p : "";                                                                          \
  }

/* A class derived from one of those. */
#define DERIVED(name, base)                                                                                         \
  name::name(const string &text) : base(text) {}                                                                    \
  name::name(const char *text) : base(text) {}                                                                      \
  name::~name() noexcept = default;

/* A class without a text. */
#define PLAIN(name, text)                                                                                           \
  name::~name() noexcept = default;                                                                                 \
  const char *name::what() const noexcept {                                                                         \
    return text;                                                                                                    \
  }

WITH_TEXT(logic_error)
DERIVED(domain_error, logic_error)
DERIVED(invalid_argument, logic_error)
DERIVED(length_error, logic_error)
DERIVED(out_of_range, logic_error)
WITH_TEXT(runtime_error)
DERIVED(range_error, runtime_error)
DERIVED(overflow_error, runtime_error)
DERIVED(underflow_error, runtime_error)
PLAIN(exception, "std::exception")
PLAIN(bad_exception, "std::bad_exception")
PLAIN(bad_alloc, "std::bad_alloc")
PLAIN(bad_array_new_length, "std::bad_array_new_length")
PLAIN(bad_cast, "std::bad_cast")
PLAIN(bad_typeid, "std::bad_typeid")
PLAIN(bad_function_call, "bad_function_call")
PLAIN(bad_weak_ptr, "bad_weak_ptr")
}

#undef WITH_TEXT
#undef DERIVED
#undef PLAIN
