/*
 * The guards of static local variables: Itanium C++ ABI, section 3.3.3. Its first byte says that the variable
 * is initialised; compiled code reads it and then calls these. The upper half is a once control, so threads
 * wait for the one that initialises, and a variable that needs itself is a violation.
 */
#include <cxxabi.h>

extern "C" int __rmc_once(void *control);
extern "C" void __rmc_once_end(void *control);
extern "C" void __rmc_once_undo(void *control);

namespace {
void *once_of(__cxxabiv1::__guard *guard) {
  return reinterpret_cast<int *>(guard) + 1;
}
}

int __cxxabiv1::__cxa_guard_acquire(__guard *guard) {
  return __rmc_once(once_of(guard));
}

void __cxxabiv1::__cxa_guard_release(__guard *guard) noexcept {
  __atomic_store_n(reinterpret_cast<char *>(guard), 1, __ATOMIC_RELEASE);
  __rmc_once_end(once_of(guard));
}

/* The initialisation threw an exception. */
void __cxxabiv1::__cxa_guard_abort(__guard *guard) noexcept {
  __rmc_once_undo(once_of(guard));
}

void __cxxabiv1::__cxa_pure_virtual() {
  __builtin_trap();
}
