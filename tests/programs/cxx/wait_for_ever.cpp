// check: sc=holds tso=holds pso=holds states=sc:27,tso:24,pso:26
// check: -DHOUR sc=violated(assertion) states=sc:40
//
// No clock comes to the last time of `std::chrono`: the wait ends when it is woken, and not before.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool is_ready;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
#ifdef HOUR
    const auto end = std::chrono::steady_clock::now() + std::chrono::hours(1);
#else
    const auto end = std::chrono::steady_clock::time_point::max();
#endif
    assert(condition.wait_until(lock, end, [] { return is_ready; }));
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    is_ready = true;
  }
  condition.notify_one();
  waiter.join();
}
