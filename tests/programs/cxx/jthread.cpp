// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:29,tso:23,pso:23
// check: -std=c++20 -DUNASKED sc=violated(deadlock) tso=violated(deadlock) states=sc:3,tso:3
//
// std::jthread: its end asks it to stop, and waits for it. With UNASKED another thread waits for a stop that
// nobody asks for.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> stopped{false};

int main() {
  {
    std::jthread worker([](std::stop_token token) {
      while (!token.stop_requested())
        ;
      stopped = true;
    });
#ifdef UNASKED
    while (!stopped)
      ;
#endif
  }
  assert(stopped);
}
