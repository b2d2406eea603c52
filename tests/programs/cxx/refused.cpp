// check: -DTHROW sc=refused(__cxa_allocate_exception)
// check: -DOUT_OF_RANGE sc=refused(std::out_of_range)
// check: -DSTREAM sc=refused(ios_base)
// check: -DCLOCK sc=refused(steady_clock)
// check: -DFUTURE sc=refused(__future_base)
// check: -DLOCAL sc=refused(thread-local)
//
// What has no model is refused by its name, not guessed.
#include <chrono>
#include <future>
#include <vector>
#ifdef STREAM
#include <iostream>
#endif

struct Object {
  int value = 1;
  ~Object() {
    value = 0;
  }
};

int main() {
#ifdef THROW
  try {
    throw 1;
  } catch (int) {
    return 0;
  }
#elif defined OUT_OF_RANGE
  return std::vector<int>(1).at(1);
#elif defined CLOCK
  return std::chrono::steady_clock::now() == std::chrono::steady_clock::now();
#elif defined FUTURE
  return std::async(std::launch::async, [] { return 0; }).get();
#elif defined LOCAL
  static thread_local Object object;
  return object.value;
#endif
}
