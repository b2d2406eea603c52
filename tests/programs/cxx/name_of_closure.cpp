// check: -std=c++20 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:17,pso:17
// check: -std=c++20 --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:17,pso:17
// check: -std=c++20 --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -std=c++20 --keep-going --cross-check sc=violated(assertion) states=sc:19
// check: -std=c++20 -DJOINED sc=holds tso=holds pso=holds states=sc:10,tso:10,pso:10
//
// A thread frees the closure that it took over from the one that made it. Until then, the maker's memory
// does not get the place of the closure, but that of other memory that is free again. Numbers are compared,
// since a compiler may take pointers to both for different ones.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

static std::atomic<int> started{0}, said{0};

static void say() {
  while (!started) {
  }
  said = 1;
}

int main() {
  std::thread thread(say);
  int *old = new int(1);
  volatile std::uintptr_t place = reinterpret_cast<std::uintptr_t>(old);
  delete old;
  started = 1;
#ifdef JOINED
  thread.join();
#endif
  if (said == 1) {
    int *fresh = new int(1);
    assert(reinterpret_cast<std::uintptr_t>(fresh) != place);
    delete fresh;
  }
#ifndef JOINED
  thread.join();
#endif
}
