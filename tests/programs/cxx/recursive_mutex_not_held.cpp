// check: sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: -O2 sc=violated(unlock-not-held) tso=violated(unlock-not-held) pso=violated(unlock-not-held)
// check: -DHELD sc=holds tso=holds pso=holds
//
// A `std::recursive_mutex` may be unlocked only by the thread that holds it, although POSIX has an error code
// for that.
#include <mutex>
#include <thread>

static std::recursive_mutex mutex;

int main() {
  std::thread other([] {
    std::lock_guard<std::recursive_mutex> first(mutex), again(mutex);
  });
#ifdef HELD
  mutex.lock();
#endif
  mutex.unlock();
  other.join();
}
