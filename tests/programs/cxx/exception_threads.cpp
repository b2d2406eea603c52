// check: sc=holds tso=holds pso=holds states=sc:108,tso:81,pso:82
// check: -DLOST sc=violated(assertion) states=sc:14
// check: -DRELAXED sc=holds tso=holds pso=violated(assertion) states=sc:108,tso:81,pso:32
//
// Exceptions and threads: each thread has its own; exception pointers lead from one to another; locks are
// given back.
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#ifdef RELAXED
constexpr auto publish = std::memory_order_relaxed;
#else
constexpr auto publish = std::memory_order_release;
#endif

std::mutex mutex;
int count;

void work(int number) {
#ifdef LOST
  mutex.lock();
#else
  std::lock_guard<std::mutex> lock(mutex);
#endif
  count++;
  if (number == 1)
    throw std::runtime_error("work");
#ifdef LOST
  mutex.unlock();
#endif
}

int value;
std::atomic<bool> ready;

struct Publishes {
  ~Publishes() { ready.store(true, publish); }
};

void tell() {
  try {
    Publishes publishes;
    value = 1;
    throw 1;
  } catch (int) {
  }
}

int main() {
  std::exception_ptr error;
  std::thread one([&] {
    try {
      work(1);
    } catch (...) {
      error = std::current_exception();
    }
  });
  one.join();
#ifdef LOST
  assert(mutex.try_lock());
#endif
  work(2);
  assert(count == 2);
  try {
    std::rethrow_exception(error);
  } catch (const std::runtime_error &) {
  }
  error = nullptr;
  std::thread two(tell);
  if (ready.load(std::memory_order_acquire))
    assert(value == 1);
  two.join();
}
