// check: sc=holds states=sc:9
// check: --malloc-may-fail -DMEMORY sc=holds states=sc:3
//
// The exceptions that the standard library throws, and their texts. The assertions hold natively, too.
#include <any>
#include <array>
#include <cassert>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>

template <typename Error, typename Function> void throws(const char *text, Function function) {
  try {
    function();
  } catch (const Error &error) {
    assert(!text || std::strcmp(error.what(), text) == 0);
    return;
  }
  assert(false);
}

struct Base {
  virtual ~Base() {}
};
struct Derived : Base {};

int main() {
#ifdef MEMORY
  try {
    int *volatile memory = new int;
    delete memory;
  } catch (const std::bad_alloc &error) {
    assert(std::strcmp(error.what(), "std::bad_alloc") == 0);
  }
  delete new (std::nothrow) int;
#else
  throws<std::out_of_range>("array::at: __n (which is 3) >= _Nm (which is 2)", [] {
    std::array<int, 2> array{};
    array.at(3) = 1;
  });
  throws<std::out_of_range>("map::at", [] { std::map<int, int>().at(1); });
  throws<std::length_error>("vector::reserve", [] { std::vector<int>().reserve(~0UL); });
  throws<std::logic_error>("basic_string: construction from null is not valid",
                           [] { std::string text(static_cast<const char *>(nullptr)); });
  throws<std::bad_alloc>("std::bad_alloc", [] {
    volatile long count = -1;
    int *volatile memory = new int[count];
    delete[] memory;
  });
  throws<std::bad_cast>("std::bad_cast", [] {
    Base base;
    (void)dynamic_cast<Derived &>(base);
  });
  throws<std::bad_typeid>("std::bad_typeid", [] {
    Base *base = nullptr;
    (void)typeid(*base);
  });
  throws<std::bad_function_call>("bad_function_call", [] { std::function<void()>()(); });
  throws<std::bad_optional_access>("bad optional access", [] { (void)std::optional<int>().value(); });
  throws<std::bad_variant_access>(nullptr, [] { (void)std::get<1>(std::variant<int, long>(1)); });
  throws<std::bad_any_cast>("bad any_cast", [] { (void)std::any_cast<long>(std::any(1)); });
  throws<std::bad_weak_ptr>("bad_weak_ptr", [] { std::shared_ptr<int> shared{std::weak_ptr<int>()}; });
  throws<std::invalid_argument>("stoi", [] { (void)std::stoi("x"); });
  throws<std::system_error>("Invalid argument", [] { std::thread().join(); });
  throws<std::system_error>("Operation not permitted", [] { std::unique_lock<std::mutex>().lock(); });
  try {
    throw std::system_error(ENOENT, std::system_category(), "open");
  } catch (const std::system_error &error) {
    assert(error.code() == std::errc::no_such_file_or_directory);
    assert(std::strcmp(error.what(), "open: No such file or directory") == 0);
  }
  std::runtime_error first("first"), second(first);
  first = std::range_error("third");
  assert(std::strcmp(first.what(), "third") == 0 && std::strcmp(second.what(), "first") == 0);
#endif
}
