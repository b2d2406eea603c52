// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:174,tso:154,pso:160
// check: -std=c++20 -DEARLY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:47,tso:47,pso:47
//
// std::latch: who waits for it sees what came before the count. With EARLY the count comes first.
#include <cassert>
#include <latch>
#include <thread>

static std::latch latch(1);
static volatile int ready;

static void prepare() {
#ifdef EARLY
  latch.count_down();
  ready = 1;
#else
  ready = 1;
  latch.count_down();
#endif
}

int main() {
  std::thread other(prepare);
  latch.wait();
  assert(ready == 1);
  other.join();
}
