// check: -std=c++17 --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=32 states=sc:18,tso:19,pso:19
// check: -std=c++17 -DTIMED --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:18,tso:19,pso:19
// check: -std=c++17 -DTRY --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:18,tso:19,pso:19
// check: -std=c++17 -DFIRST=unique_lock --races sc=holds tso=holds pso=holds states=sc:23,tso:22,pso:22
// check: -std=c++17 -DSECOND=unique_lock --races sc=holds tso=holds pso=holds states=sc:23,tso:22,pso:22
// check: -std=c++17 -DBETWEEN --races sc=holds tso=holds pso=holds states=sc:134,tso:180,pso:180
//
// What a reader of a shared mutex did happens-before what a later writer does, and not before what a later
// reader does. A writer between the two orders them (BETWEEN).
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <thread>

#ifndef FIRST
#define FIRST shared_lock
#endif
#ifndef SECOND
#define SECOND shared_lock
#endif
#ifdef TIMED
using lock_type = std::shared_timed_mutex;
#else
using lock_type = std::shared_mutex;
#endif

static lock_type lock;
static std::atomic<int> step;
int data;

static void write(int number) {
  data = number;
}

int main() {
  std::thread first([] {
    write(1);
    { std::FIRST<lock_type> held(lock); }
    step.store(1, std::memory_order_relaxed);
  });
#ifdef BETWEEN
  std::thread between([] {
    if (step.load(std::memory_order_relaxed) != 1)
      return;
    { std::unique_lock<lock_type> held(lock); }
    step.store(2, std::memory_order_relaxed);
  });
  const int last = 2;
#else
  const int last = 1;
#endif
  if (step.load(std::memory_order_relaxed) == last) {
#ifdef TRY
    if (lock.try_lock_shared())
      lock.unlock_shared();
#else
    { std::SECOND<lock_type> held(lock); }
#endif
    write(2);
  }
  first.join();
#ifdef BETWEEN
  between.join();
#endif
}
