/*
 * Which handlers catch which exceptions: the C++ standard, [except.handle], over the tables of the Itanium C++
 * ABI, section 2.9.5.
 */
#include <cxxabi.h>

namespace {
using PointerBase = __cxxabiv1::__pbase_type_info;
using Pointer = __cxxabiv1::__pointer_type_info;

template <typename Info> bool is(const std::type_info *type) {
  return typeid(*type) == typeid(Info);
}

/* The description of a class; null for other types. */
const Class *as_class(const std::type_info *type) {
  bool is_class = is<Class>(type) || is<__cxxabiv1::__si_class_type_info>(type) ||
                  is<__cxxabiv1::__vmi_class_type_info>(type);
  return is_class ? static_cast<const Class *>(type) : nullptr;
}

/* True if an object of a class has one public base of another, or is of it; then `object` becomes that part. */
bool has_public_base(const Class *type, const Class *wanted, void *&object) {
  Found found{};
  find(type, object, true, Part{wanted, nullptr}, found);
  if (!found.first || found.several || !found.publicly)
    return false;
  object = const_cast<void *>(found.first);
  return true;
}

constexpr unsigned QUALIFIERS = PointerBase::__const_mask | PointerBase::__volatile_mask | PointerBase::__restrict_mask;
constexpr unsigned PROMISES = PointerBase::__transaction_safe_mask | PointerBase::__noexcept_mask;

/* True if a pointer becomes one with these qualifiers; all levels above are const or absent. */
bool qualifies(const PointerBase *thrown, const PointerBase *wanted, bool is_const_above) {
  unsigned from = thrown->__flags & QUALIFIERS, to = wanted->__flags & QUALIFIERS;
  bool keeps_promises = !(wanted->__flags & PROMISES & ~thrown->__flags);
  return !(from & ~to) && (from == to || is_const_above) && keeps_promises;
}

/* True if what pointers point to, below the first level, differs in qualifiers alone. */
bool is_similar(const std::type_info *thrown, const std::type_info *wanted, bool is_const_above) {
  if (*thrown == *wanted)
    return true;
  if (!is<Pointer>(thrown) || !is<Pointer>(wanted))
    return false;
  auto from = static_cast<const Pointer *>(thrown), to = static_cast<const Pointer *>(wanted);
  bool is_const = is_const_above && (to->__flags & PointerBase::__const_mask);
  return qualifies(from, to, is_const_above) && is_similar(from->__pointee, to->__pointee, is_const);
}

bool catches_pointer(const Pointer *wanted, const Pointer *thrown, void *&pointer) {
  if (!qualifies(thrown, wanted, true))
    return false;
  const std::type_info *from = thrown->__pointee, *to = wanted->__pointee;
  if (*to == typeid(void))
    return !is<__cxxabiv1::__function_type_info>(from);
  const Class *derived = as_class(from), *base = as_class(to);
  if (!derived || !base || *derived == *base)
    return is_similar(from, to, wanted->__flags & PointerBase::__const_mask);
  if (!pointer)
    __rmc_unsupported("a null pointer to a class as an exception, where a handler catches pointers to other classes");
  return has_public_base(derived, base, pointer);
}

/* True if a handler for a type catches an exception of another; then `object` becomes what the handler gets. */
bool catches(const std::type_info *wanted, const std::type_info *thrown, void *&object) {
  if (is<Pointer>(thrown)) {
    void *pointer = *static_cast<void **>(object);
    bool is_caught = *wanted == *thrown || (is<Pointer>(wanted) && catches_pointer(static_cast<const Pointer *>(wanted),
                                                                                 static_cast<const Pointer *>(thrown), pointer));
    object = is_caught ? pointer : object;
    return is_caught;
  }
  if (*wanted == *thrown)
    return true;
  using Member = __cxxabiv1::__pointer_to_member_type_info;
  if (is<Member>(wanted) && (is<Member>(thrown) || *thrown == typeid(decltype(nullptr))))
    __rmc_unsupported("a handler for pointers to members of another type than the exception's");
  if (is<Pointer>(wanted) && *thrown == typeid(decltype(nullptr))) {
    object = nullptr;
    return true;
  }
  const Class *derived = as_class(thrown), *base = as_class(wanted);
  return derived && base && has_public_base(derived, base, object);
}
}
