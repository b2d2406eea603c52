// check: -std=c++20 sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:671,tso:671,pso:885
// check: -std=c++20 -DTRIES sc=holds tso=holds pso=holds states=sc:295,tso:295,pso:498
// check: -std=c++20 -DTRIES -DTWO sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:51,tso:51,pso:51
//
// std::counting_semaphore: of two threads one is inside, unless there is room for two. In libstdc++ 12 a
// wake-up is lost: acquire() reads the counter, and then again to see that it is 0. It sleeps if the counter
// still has the first value, to which another thread's acquire and release have brought it back meanwhile.
// try_acquire does not sleep.
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

#ifdef TWO
static std::counting_semaphore<2> room(2);
#else
static std::counting_semaphore<2> room(1);
#endif
static std::atomic<int> inside{0};

static void enter() {
#ifdef TRIES
  if (!room.try_acquire())
    return;
#else
  room.acquire();
#endif
  assert(++inside == 1);
  --inside;
  room.release();
}

int main() {
  std::thread other(enter);
  enter();
  other.join();
}
