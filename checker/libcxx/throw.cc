/* The functions by which headers and compiled code throw. */
#include <bits/functexcept.h>
#include <cstdarg>
#include <cstdio>
#include <cxxabi.h>
#include <functional>
#include <future>
#include <new>
#include <stdexcept>
#include <system_error>
#include <typeinfo>

namespace std {
#define THROWS(name)                                                                                                \
  void __throw_##name() {                                                                                           \
    throw name();                                                                                                   \
  }
#define THROWS_TEXT(name)                                                                                           \
  void __throw_##name(const char *text) {                                                                           \
    throw name(text);                                                                                               \
  }

THROWS(bad_exception)
THROWS(bad_alloc)
THROWS(bad_array_new_length)
THROWS(bad_cast)
THROWS(bad_typeid)
THROWS(bad_function_call)
THROWS_TEXT(logic_error)
THROWS_TEXT(domain_error)
THROWS_TEXT(invalid_argument)
THROWS_TEXT(length_error)
THROWS_TEXT(out_of_range)
THROWS_TEXT(runtime_error)
THROWS_TEXT(range_error)
THROWS_TEXT(overflow_error)
THROWS_TEXT(underflow_error)

#undef THROWS
#undef THROWS_TEXT

void __throw_out_of_range_fmt(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  throw out_of_range(text);
}

void __throw_system_error(int code) {
  throw system_error(error_code(code, generic_category()));
}

void __throw_future_error(int code) {
  throw future_error(make_error_code(future_errc(code)));
}
}

/* What compiled code calls itself. */
namespace __cxxabiv1 {
void __cxa_bad_cast() {
  std::__throw_bad_cast();
}

void __cxa_bad_typeid() {
  std::__throw_bad_typeid();
}

void __cxa_throw_bad_array_new_length() {
  std::__throw_bad_array_new_length();
}
}
