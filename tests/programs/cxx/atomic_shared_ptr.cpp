// check: --cflags=-std=c++20 sc=holds tso=holds states=sc:170,tso:145
// check: -DFUNCTIONS sc=holds states=sc:134
// check: -DPLAIN --races sc=violated(data-race) states=sc:15
//
// Shared pointers that several threads exchange: atomic ones, and the functions on plain ones.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int living;

struct Object {
  int value;
  explicit Object(int value) : value(value) {}
};

int main() {
#ifdef PLAIN
  std::shared_ptr<Object> place = std::make_shared<Object>(1);
  std::thread thread([&] { place = std::make_shared<Object>(2); });
  std::shared_ptr<Object> seen = place;
#elif defined FUNCTIONS
  std::shared_ptr<Object> place = std::make_shared<Object>(1);
  std::thread thread([&] { std::atomic_store(&place, std::make_shared<Object>(2)); });
  std::shared_ptr<Object> seen = std::atomic_load(&place);
#else
  std::atomic<std::shared_ptr<Object>> place = std::make_shared<Object>(1);
  std::thread thread([&] { place.store(std::make_shared<Object>(2)); });
  std::shared_ptr<Object> seen = place.load();
#endif
  assert(seen->value == 1 || seen->value == 2);
  thread.join();
  assert(seen.use_count() >= 1);
}
