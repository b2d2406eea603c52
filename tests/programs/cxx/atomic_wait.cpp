// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:144,tso:144,pso:150
// check: -std=c++20 -DSILENT sc=violated(deadlock) tso=violated(deadlock) states=sc:88,tso:88
//
// std::atomic::wait and notify_one. With SILENT the value changes, and nobody is told: a thread that sleeps
// already goes on sleeping.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> value{0};

static void change() {
  value = 1;
#ifndef SILENT
  value.notify_one();
#endif
}

int main() {
  std::thread other(change);
  value.wait(0);
  assert(value == 1);
  other.join();
}
