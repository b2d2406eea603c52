/*
 * Exceptions: the Itanium C++ ABI, *Exception Handling*, sections 1.3 and 2. The checker shows the landing
 * pads of the frames of the thread and leaves them; what is decided is decided here.
 */
#include "exceptions.h"

/* The next frame below the numbered one that has a landing pad; 0 if none has. Below 0 is the whole stack. */
extern "C" long __rmc_next_pad(long frame);
/* The type that a clause of a frame's landing pad catches, null for every type; else one of the two below. */
extern "C" const std::type_info *__rmc_clause(long frame, long clause);
/* Leaves the frames above. */
extern "C" [[noreturn]] void __rmc_land(long frame, void *exception, long clause);
/* Memory that there always is. */
extern "C" void *__rmc_allocate(std::size_t size);

namespace {
__thread OfThread __rmc_exceptions;

/* No clause is left, and exceptions that match none do not arrive. */
bool is_end(const std::type_info *clause) {
  return reinterpret_cast<unsigned long>(clause) == 1;
}

/* No clause is left, and exceptions that match none run cleanups. */
bool is_cleanup(const std::type_info *clause) {
  return reinterpret_cast<unsigned long>(clause) == 2;
}

void release(Exception *exception) noexcept {
  if (__atomic_sub_fetch(&exception->references, 1, __ATOMIC_ACQ_REL) > 0)
    return;
  if (exception->destructor)
    exception->destructor(exception->object());
  std::free(exception);
}

/* The first phase: looks for a handler, and leaves the stack as it is. */
bool find_handler(Flight *flight) {
  for (long frame = 0; (frame = __rmc_next_pad(frame));)
    for (long at = 0;; at++) {
      const std::type_info *clause = __rmc_clause(frame, at);
      if (is_end(clause) || is_cleanup(clause))
        break;
      void *object = flight->exception->object();
      if (!clause || catches(clause, flight->exception->type, object)) {
        flight->frame = static_cast<short>(frame);
        flight->clause = static_cast<short>(at);
        flight->caught = object;
        return true;
      }
    }
  return false;
}

/* The second phase: goes on to the next frame with cleanups, or to the handler. */
[[noreturn]] void unwind(Flight *flight) {
  for (long frame = 0; (frame = __rmc_next_pad(frame));) {
    if (frame == flight->frame)
      __rmc_land(frame, flight, flight->clause);
    for (long at = 0;; at++) {
      const std::type_info *clause = __rmc_clause(frame, at);
      if (is_cleanup(clause))
        __rmc_land(frame, flight, at);
      if (is_end(clause))
        break;
    }
  }
  __builtin_trap();
}

[[noreturn]] void raise(Flight *flight) {
  __rmc_exceptions.uncaught++;
  if (find_handler(flight))
    unwind(flight);
  __cxxabiv1::__cxa_begin_catch(flight);
  std::terminate();
}
}

/* The loader has each `resume` call this with its exception. */
extern "C" [[noreturn]] void __gxx_personality_v0(void *flight) {
  unwind(static_cast<Flight *>(flight));
}

namespace __cxxabiv1 {
void *__cxa_allocate_exception(std::size_t size) noexcept {
  auto exception = static_cast<Exception *>(__rmc_allocate(sizeof(Exception) + size));
  *exception = Exception{};
  return exception->object();
}

void __cxa_free_exception(void *object) noexcept {
  std::free(Exception::of(object));
}

__cxa_refcounted_exception *__cxa_init_primary_exception(void *object, std::type_info *type,
                                                         void (*destructor)(void *)) noexcept {
  Exception *exception = Exception::of(object);
  exception->type = type;
  exception->destructor = destructor;
  exception->flight.exception = exception;
  return reinterpret_cast<__cxa_refcounted_exception *>(exception);
}

void __cxa_throw(void *object, std::type_info *type, void (*destructor)(void *)) {
  __cxa_init_primary_exception(object, type, destructor);
  Exception *exception = Exception::of(object);
  exception->references = 1;
  raise(&exception->flight);
}

void *__cxa_get_exception_ptr(void *flight) noexcept {
  return static_cast<Flight *>(flight)->caught;
}

void *__cxa_begin_catch(void *given) noexcept {
  auto flight = static_cast<Flight *>(given);
  flight->handlers = (flight->handlers < 0 ? -flight->handlers : flight->handlers) + 1;
  __rmc_exceptions.uncaught--;
  if (flight != __rmc_exceptions.caught) {
    flight->around = __rmc_exceptions.caught;
    __rmc_exceptions.caught = flight;
  }
  return flight->caught;
}

/* A flight that goes on, since its exception was thrown again, stays for the handlers around. */
void __cxa_end_catch() {
  Flight *flight = __rmc_exceptions.caught;
  if (!flight)
    return;
  bool goes_on = flight->handlers < 0;
  flight->handlers += goes_on ? 1 : -1;
  if (flight->handlers != 0)
    return;
  __rmc_exceptions.caught = flight->around;
  if (goes_on)
    return;
  Exception *exception = flight->exception;
  if (flight != &exception->flight)
    std::free(flight);
  release(exception);
}

void __cxa_rethrow() {
  Flight *flight = __rmc_exceptions.caught;
  if (!flight)
    std::terminate();
  flight->handlers = -flight->handlers;
  raise(flight);
}

std::type_info *__cxa_current_exception_type() noexcept {
  Flight *flight = __rmc_exceptions.caught;
  return flight ? const_cast<std::type_info *>(flight->exception->type) : nullptr;
}

unsigned int __cxa_uncaught_exceptions() noexcept {
  return __rmc_exceptions.uncaught;
}
}

int std::uncaught_exceptions() noexcept {
  return __rmc_exceptions.uncaught;
}

bool std::uncaught_exception() noexcept {
  return __rmc_exceptions.uncaught > 0;
}

/* std::exception_ptr. */
namespace std {
namespace __exception_ptr {
exception_ptr::exception_ptr(void *object) noexcept : _M_exception_object(object) {
  _M_addref();
}

void exception_ptr::_M_addref() noexcept {
  __atomic_add_fetch(&Exception::of(_M_exception_object)->references, 1, __ATOMIC_ACQ_REL);
}

void exception_ptr::_M_release() noexcept {
  release(Exception::of(_M_exception_object));
  _M_exception_object = nullptr;
}

void *exception_ptr::_M_get() const noexcept {
  return _M_exception_object;
}

const type_info *exception_ptr::__cxa_exception_type() const noexcept {
  return Exception::of(_M_exception_object)->type;
}
}

exception_ptr current_exception() noexcept {
  Flight *flight = __rmc_exceptions.caught;
  return flight ? exception_ptr(flight->exception->object()) : exception_ptr();
}

void rethrow_exception(exception_ptr pointer) {
  auto further = static_cast<FurtherFlight *>(__rmc_allocate(sizeof(FurtherFlight)));
  *further = FurtherFlight{};
  Exception *exception = Exception::of(pointer._M_exception_object);
  __atomic_add_fetch(&exception->references, 1, __ATOMIC_ACQ_REL);
  further->flight.exception = exception;
  if (is<Pointer>(exception->type))
    further->pointer = *static_cast<void **>(exception->object());
  raise(&further->flight);
}

nested_exception::~nested_exception() noexcept = default;
}
