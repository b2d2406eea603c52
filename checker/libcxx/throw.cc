/*
 * The functions by which headers throw. Exceptions are not interpreted yet, so each ends the run and names
 * what it would throw.
 */
#include <bits/functexcept.h>
#include <cxxabi.h>
#include <future>
#include <new>

#define THROWS(function, parameters, exception)                                                                      \
  void std::function parameters {                                                                                   \
    __rmc_unsupported("the exception " exception);                                                                   \
  }

THROWS(__throw_bad_exception, (), "std::bad_exception")
THROWS(__throw_bad_alloc, (), "std::bad_alloc")
THROWS(__throw_bad_array_new_length, (), "std::bad_array_new_length")
THROWS(__throw_bad_cast, (), "std::bad_cast")
THROWS(__throw_bad_typeid, (), "std::bad_typeid")
THROWS(__throw_logic_error, (const char *), "std::logic_error")
THROWS(__throw_domain_error, (const char *), "std::domain_error")
THROWS(__throw_invalid_argument, (const char *), "std::invalid_argument")
THROWS(__throw_length_error, (const char *), "std::length_error")
THROWS(__throw_out_of_range, (const char *), "std::out_of_range")
THROWS(__throw_out_of_range_fmt, (const char *, ...), "std::out_of_range")
THROWS(__throw_runtime_error, (const char *), "std::runtime_error")
THROWS(__throw_range_error, (const char *), "std::range_error")
THROWS(__throw_overflow_error, (const char *), "std::overflow_error")
THROWS(__throw_underflow_error, (const char *), "std::underflow_error")
THROWS(__throw_system_error, (int), "std::system_error")
THROWS(__throw_future_error, (int), "std::future_error")
THROWS(__throw_bad_function_call, (), "std::bad_function_call")

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

/* By default std::terminate aborts. */
void std::terminate() noexcept {
  __builtin_trap();
}
