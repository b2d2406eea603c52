// check: -std=c++17 sc=holds tso=holds pso=holds states=sc:27,tso:23,pso:23
// check: -std=c++17 -DSHARED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:28,tso:23,pso:23
//
// std::shared_mutex: a reader never sees one half of a change. With SHARED the writer shares the mutex, too.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex mutex;
static volatile int one, two;

static void change() {
#ifdef SHARED
  std::shared_lock<std::shared_mutex> lock(mutex);
#else
  std::unique_lock<std::shared_mutex> lock(mutex);
#endif
  one = 1;
  two = 1;
}

int main() {
  std::thread writer(change);
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    assert(one == two);
  }
  writer.join();
}
