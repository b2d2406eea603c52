/*
 * Exceptions in memory. A thrown object lies behind what is known of it, whichever thread and handler has it.
 * Each throw of the object is a flight; std::rethrow_exception makes further flights of the same object, one
 * for each thread that throws it.
 */
#include <cxxabi.h>
#include <exception>
#include <typeinfo>

namespace {
struct Exception;

/*
 * A throw of an exception. Its address is what landing pads get. Compiled code that catches a pointer by
 * reference finds the pointer 32 bytes behind that.
 */
struct Flight {
  Exception *exception;
  /* The flight whose handler is around this one's. */
  Flight *around;
  /* The object as its handler sees it: a part of the thrown object, or the value of a thrown pointer. */
  void *caught;
  /* The frame with the handler, and its clause. */
  short frame, clause;
  /* The handlers in which the exception is; negative while it is thrown again. */
  int handlers;
};
static_assert(sizeof(Flight) == 32);

struct Exception {
  const std::type_info *type;
  void (*destructor)(void *);
  /* Flights and std::exception_ptr. */
  long references, unused;
  Flight flight;

  void *object() {
    return this + 1;
  }

  static Exception *of(void *object) {
    return static_cast<Exception *>(object) - 1;
  }
};

/* A further throw of an exception. */
struct FurtherFlight {
  Flight flight;
  void *pointer;
};

struct OfThread {
  /* The flight whose handler runs. */
  Flight *caught;
  /* Exceptions that were thrown and are not caught yet. */
  int uncaught;
};
}
