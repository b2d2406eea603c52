/*
 * dynamic_cast: the C++ standard, [expr.dynamic.cast], over the tables of the Itanium C++ ABI, sections 2.5.2
 * and 2.9.5.
 */
#include <cxxabi.h>

namespace {
using Class = __cxxabiv1::__class_type_info;

/* What stands before the functions of a table of virtual functions. */
struct Prefix {
  std::ptrdiff_t to_whole;
  const Class *whole;
};

const char *table_of(const void *object) {
  return *static_cast<const char *const *>(object);
}

/* Calls a function with each direct base of an object: its class, its address, and true if it is public. */
template <typename Function> void for_each_base(const Class *type, const void *object, Function function) {
  if (typeid(*type) == typeid(__cxxabiv1::__si_class_type_info))
    function(static_cast<const __cxxabiv1::__si_class_type_info *>(type)->__base_type, object, true);
  if (typeid(*type) != typeid(__cxxabiv1::__vmi_class_type_info))
    return;
  auto several = static_cast<const __cxxabiv1::__vmi_class_type_info *>(type);
  for (unsigned i = 0; i < several->__base_count; i++) {
    const __cxxabiv1::__base_class_type_info &base = several->__base_info[i];
    std::ptrdiff_t offset = base.__offset();
    if (base.__is_virtual_p())
      offset = *reinterpret_cast<const std::ptrdiff_t *>(table_of(object) + offset);
    function(base.__base_type, static_cast<const char *>(object) + offset, base.__is_public_p());
  }
}

/* A part of an object: a class, and an address, if it is to be at that one. */
struct Part {
  const Class *type;
  const void *at;
};

/* The parts that were found. */
struct Found {
  const void *first;
  bool several, publicly;
};

/*
 * Looks for a part in an object. A virtual base that is met on several ways is one part, and public if one of
 * the ways is.
 */
void find(const Class *type, const void *object, bool publicly, Part wanted, Found &found) {
  if (*type == *wanted.type && (!wanted.at || wanted.at == object)) {
    found.several |= found.first && found.first != object;
    found.publicly |= publicly;
    found.first = object;
    return;
  }
  for_each_base(type, object, [&](const Class *base, const void *at, bool is_public) {
    find(base, at, publicly && is_public, wanted, found);
  });
}

/* Looks in an object for parts of a class that have a part, and have it publicly. */
void find_holders(const Class *type, const void *object, const Class *wanted, Part held, Found &holders) {
  if (*type == *wanted) {
    Found found{};
    find(type, object, true, held, found);
    if (found.first && holders.first != object) {
      holders.several |= holders.first != nullptr;
      holders.publicly = found.publicly;
      holders.first = object;
    }
    return;
  }
  for_each_base(type, object, [&](const Class *base, const void *at, bool) {
    find_holders(base, at, wanted, held, holders);
  });
}
}

extern "C" void *__cxxabiv1::__dynamic_cast(const void *object, const __class_type_info *type,
                                           const __class_type_info *wanted, std::ptrdiff_t) {
  auto prefix = reinterpret_cast<const Prefix *>(table_of(object)) - 1;
  const void *whole = static_cast<const char *>(object) + prefix->to_whole;
  Part held{type, object};
  Found holders{};
  find_holders(prefix->whole, whole, wanted, held, holders);
  if (holders.first && !holders.several && holders.publicly)
    return const_cast<void *>(holders.first);
  Found itself{}, target{};
  find(prefix->whole, whole, true, held, itself);
  find(prefix->whole, whole, true, Part{wanted, nullptr}, target);
  if (itself.publicly && target.publicly && !target.several)
    return const_cast<void *>(target.first);
  return nullptr;
}
