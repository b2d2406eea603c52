// check: sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: -DUNJOINED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:3,tso:3,pso:3
//
// std::thread: what a thread wrote is there after join, and not before.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> value;

int main() {
  std::thread thread([](int given) { value.store(given, std::memory_order_relaxed); }, 7);
#ifdef UNJOINED
  assert(value == 7);
#endif
  thread.join();
  assert(value == 7);
}
