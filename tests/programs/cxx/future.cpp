// check: sc=holds tso=holds pso=holds states=sc:1261,tso:973,pso:983
// check: -DBROKEN sc=holds states=sc:9
// check: -DEXCEPTION sc=violated(uncaught-exception) states=sc:186
// check: -DUNSET sc=violated(deadlock) states=sc:2
// check: -DTIMED sc=holds tso=holds states=sc:406,tso:354
// check: -DREADY sc=violated(assertion) states=sc:45
//
// Futures: promises, tasks, async, shared futures and their errors. What is written before a result is set is
// seen by who gets it.
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>

int value;

template <typename Function> std::future_errc code_of(Function function) {
  try {
    function();
  } catch (const std::future_error &error) {
    return static_cast<std::future_errc>(error.code().value());
  }
  assert(false);
}

int main() {
#ifdef BROKEN
  std::future<int> future;
  assert(code_of([&] { future.get(); }) == std::future_errc::no_state);
  {
    std::promise<int> promise;
    future = promise.get_future();
    assert(code_of([&] { promise.get_future(); }) == std::future_errc::future_already_retrieved);
  }
  assert(code_of([&] { future.get(); }) == std::future_errc::broken_promise);
  std::promise<void> twice;
  twice.set_value();
  assert(code_of([&] { twice.set_value(); }) == std::future_errc::promise_already_satisfied);
  try {
    std::future<void>().wait();
  } catch (const std::future_error &error) {
    assert(std::string(error.what()) == "std::future_error: No associated state");
  }
#elif defined EXCEPTION
  std::async(std::launch::async, [] { throw std::runtime_error("of a task"); }).get();
#elif defined UNSET
  std::promise<int> promise;
  promise.get_future().get();
#elif defined TIMED || defined READY
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread thread([&] { promise.set_value(1); });
  std::future_status status = future.wait_for(std::chrono::milliseconds(1));
#ifdef READY
  assert(status == std::future_status::ready);
#endif
  if (status == std::future_status::ready)
    assert(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  assert(future.get() == 1);
  thread.join();
#else
  std::promise<int *> promise;
  std::thread thread([&] {
    value = 1;
    promise.set_value(&value);
  });
  assert(*promise.get_future().get() == 1);
  thread.join();
  std::future<int> later = std::async(std::launch::deferred, [] { return value + 1; });
  value = 5;
  assert(later.wait_for(std::chrono::seconds(0)) == std::future_status::deferred && later.get() == 6);
  std::packaged_task<int(int)> task([](int number) {
    if (number == 0)
      throw std::invalid_argument("zero");
    return number + 1;
  });
  std::shared_future<int> shared = task.get_future();
  task(2);
  assert(shared.get() == 3 && shared.get() == 3);
  task.reset();
  std::future<int> failed = task.get_future();
  task(0);
  try {
    failed.get();
    assert(false);
  } catch (const std::invalid_argument &) {
  }
  std::future<int> started = std::async(std::launch::async, [] { return ++value; });
  assert(started.get() == 6);
#endif
}
