/*
 * The end of a program that cannot go on: [except.terminate]. By default it is a violation, which says what was
 * thrown if an exception is being handled.
 */
#include <exception>

/* A violation: an exception of the type with this name, with this text or null, is not caught. */
extern "C" [[noreturn]] void __rmc_uncaught(const char *type, const char *what);

namespace {
std::terminate_handler __rmc_terminate_handler;

[[noreturn]] void end_by_default() {
  if (Flight *flight = __rmc_exceptions.caught) {
    const std::type_info *type = flight->exception->type;
    void *object = flight->exception->object();
    const char *what = nullptr;
    const Class *thrown = as_class(type);
    if (thrown && has_public_base(thrown, as_class(&typeid(std::exception)), object))
      what = static_cast<std::exception *>(object)->what();
    __rmc_uncaught(type->name(), what);
  }
  __builtin_trap();
}
}

std::terminate_handler std::get_terminate() noexcept {
  terminate_handler handler = __atomic_load_n(&__rmc_terminate_handler, __ATOMIC_ACQUIRE);
  return handler ? handler : end_by_default;
}

std::terminate_handler std::set_terminate(terminate_handler handler) noexcept {
  terminate_handler old = __atomic_exchange_n(&__rmc_terminate_handler, handler, __ATOMIC_ACQ_REL);
  return old ? old : end_by_default;
}

/* A handler that returns or throws ends the program all the same. */
void std::terminate() noexcept {
  try {
    get_terminate()();
  } catch (...) {
  }
  __builtin_trap();
}
