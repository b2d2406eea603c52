// check: --clocks=pass sc=holds tso=holds states=sc:47,tso:47
// check: --clocks=pass -DLATE sc=violated(assertion) tso=violated(assertion) states=sc:45,tso:45
// check: --clocks=pass -DMIXED sc=unknown(time)
// check: -DMIXED -DSLEEPS sc=unknown(clock)
// check: --clocks=pass -DSLEEPS sc=holds states=sc:68
// check: --clocks=pass -DSLEEPS -DLATE sc=violated(assertion) states=sc:60
// check: sc=unknown(clock)
//
// The clocks of std::chrono pass: a loop that waits for a flag or a time ends, and its time may be over.
// They are other clocks than those of the C library, so both in one program are not proved. Sleeps have them
// go on, also where they stand still otherwise.
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
#ifdef SLEEPS
  std::this_thread::sleep_for(1ms);
  assert(std::chrono::steady_clock::now() >= begin + 1ms);
#endif
  while (!done && !late)
    late = std::chrono::steady_clock::now() >= end;
  other.join();
  assert(std::chrono::steady_clock::now() >= begin);
#ifdef LATE
  assert(!late);
#endif
#ifdef MIXED
  time_t first = time(nullptr);
  std::this_thread::sleep_for(1s);
  assert(time(nullptr) > first);
#endif
}
