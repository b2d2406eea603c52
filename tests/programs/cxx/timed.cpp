// check: sc=holds tso=holds states=sc:123,tso:117
// check: -DALWAYS sc=violated(assertion) states=sc:38
// check: -DNEVER sc=violated(assertion) states=sc:65
// check: -DOWN sc=unknown(clock)
// check: -DSEMAPHORE --cflags=-std=c++20 sc=unknown(clock)
// check: -DFILE_CLOCK sc=unknown(clock)
// check: -DMUTEX sc=holds states=sc:58
// check: -DSHARED sc=holds states=sc:18
//
// Waits with a time may end before what they wait for, and sleeping is overtaken. Clocks that the headers of
// condition variables, timed mutexes and futures read leave nothing out. One that the program reads does,
// also through another header, and so does the one of a semaphore, whose loop waits for the clock to go on.
#include <cassert>
#include <chrono>
#include <condition_variable>
#ifdef FILE_CLOCK
#include <filesystem>
#endif
#include <mutex>
#ifdef SEMAPHORE
#include <semaphore>
#endif
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable condition;
bool ready;
std::timed_mutex timed;
std::recursive_timed_mutex recursive;
std::shared_timed_mutex shared;

int main() {
#ifdef MUTEX
  timed.lock();
  bool got = true;
  std::thread thread([&] {
    if ((got = timed.try_lock_for(1ms)))
      timed.unlock();
    assert(recursive.try_lock_for(1s));
    assert(recursive.try_lock());
    recursive.unlock();
    recursive.unlock();
  });
  std::this_thread::sleep_for(1ms);
  timed.unlock();
  thread.join();
#elif defined SEMAPHORE
  std::counting_semaphore<1> semaphore(0);
  assert(semaphore.try_acquire_for(1ms));
#elif defined FILE_CLOCK
  auto first = std::filesystem::file_time_type::clock::now();
  assert(first == std::filesystem::file_time_type::clock::now());
#elif defined SHARED
  shared.lock_shared();
  std::thread thread([] {
    assert(shared.try_lock_shared_for(1ms));
    shared.unlock_shared();
    if (shared.try_lock_for(1ms))
      shared.unlock();
  });
  std::this_thread::yield();
  shared.unlock_shared();
  thread.join();
#else
  std::thread thread([] {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock<std::mutex> lock(mutex);
#ifdef OWN
    auto until = std::chrono::steady_clock::now() + 10ms;
    auto status = ready ? std::cv_status::no_timeout : condition.wait_until(lock, until);
    if (status == std::cv_status::timeout)
      assert(std::chrono::steady_clock::now() >= until);
#else
    auto status = ready ? std::cv_status::no_timeout : condition.wait_for(lock, 10ms);
#endif
#ifdef ALWAYS
    assert(ready);
#elif defined NEVER
    assert(status == std::cv_status::no_timeout || !ready);
#endif
    bool is_ready = condition.wait_for(lock, 1ms, [] { return ready; });
    assert(is_ready == ready);
  }
  thread.join();
#endif
}
