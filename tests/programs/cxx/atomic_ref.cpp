// check: -std=c++20 sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: -std=c++20 -DPLAIN sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:13,pso:13
//
// std::atomic_ref: two threads count in a plain variable. With PLAIN one of them does without it.
#include <atomic>
#include <cassert>
#include <thread>

static int count;

static void add() {
  std::atomic_ref<int>(count).fetch_add(1);
}

int main() {
  std::thread other(add);
#ifdef PLAIN
  count++;
#else
  add();
#endif
  other.join();
  assert(count == 2);
}
