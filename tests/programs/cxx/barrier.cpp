// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:976,tso:831,pso:866
// check: -std=c++20 -DEARLY sc=violated(assertion) tso=violated(assertion) states=sc:3,tso:3
//
// std::barrier: behind it each thread sees what the other did before it. With EARLY one looks before it.
#include <barrier>
#include <cassert>
#include <thread>

static std::barrier<> barrier(2);
static volatile int ready;

static void prepare() {
  ready = 1;
  barrier.arrive_and_wait();
}

int main() {
  std::thread other(prepare);
#ifdef EARLY
  assert(ready == 1);
#endif
  barrier.arrive_and_wait();
  assert(ready == 1);
  other.join();
}
