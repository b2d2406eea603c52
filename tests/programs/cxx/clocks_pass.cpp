// check: --clocks=pass sc=holds tso=holds
// check: --clocks=pass -DLATE sc=violated(assertion) tso=violated(assertion)
// check: --clocks=pass -DMIXED sc=unknown(time)
// check: sc=unknown(clock)
//
// The clocks of std::chrono pass: a loop that waits for a flag or a time ends, and its time may be over.
// They are other clocks than those of the C library, so both in one program are not proved.
#include <atomic>
#include <cassert>
#include <chrono>
#include <ctime>
#include <thread>

using namespace std::chrono_literals;

static std::atomic<bool> done;

int main() {
  std::thread other([] { done = true; });
  auto begin = std::chrono::steady_clock::now();
  auto end = begin + 2ms;
  bool late = false;
  while (!done && !late)
    late = std::chrono::steady_clock::now() >= end;
  other.join();
  assert(std::chrono::steady_clock::now() >= begin);
#ifdef LATE
  assert(!late);
#endif
#ifdef MIXED
  assert(time(nullptr) != 0);
#endif
}
