/*
 * Type information: the tables of the classes that describe types, and of the fundamental types. The compiler
 * emits the latter with the destructor of __fundamental_type_info.
 */
#include <cxxabi.h>
#include <bits/cxxabi_forced.h>
#include <typeinfo>

std::type_info::~type_info() = default;

bool std::type_info::__is_pointer_p() const {
  return false;
}

bool std::type_info::__is_function_p() const {
  return false;
}

/* Handlers are found without these (catches.cc). */
bool std::type_info::__do_catch(const type_info *, void **, unsigned) const {
  __rmc_unsupported("a call of `std::type_info::__do_catch`");
}

bool std::type_info::__do_upcast(const __cxxabiv1::__class_type_info *, void **) const {
  __rmc_unsupported("a call of `std::type_info::__do_upcast`");
}

/* Casts between classes (casts.cc) look at these tables without their functions. */
namespace __cxxabiv1 {
__fundamental_type_info::~__fundamental_type_info() = default;
__class_type_info::~__class_type_info() = default;
__si_class_type_info::~__si_class_type_info() = default;
__vmi_class_type_info::~__vmi_class_type_info() = default;
__pbase_type_info::~__pbase_type_info() = default;
__pointer_type_info::~__pointer_type_info() = default;
__pointer_to_member_type_info::~__pointer_to_member_type_info() = default;
__function_type_info::~__function_type_info() = default;
__enum_type_info::~__enum_type_info() = default;
__array_type_info::~__array_type_info() = default;
}

/* Nothing throws these two, but headers catch them. */
namespace __cxxabiv1 {
__forced_unwind::~__forced_unwind() noexcept = default;
__foreign_exception::~__foreign_exception() noexcept = default;
}
