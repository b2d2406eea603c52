// check: sc=holds tso=holds pso=holds states=sc:40,tso:35,pso:53
//
// std::call_once: the function runs once, and has run when any call returns.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int runs;

static void user() {
  std::call_once(flag, [] { runs++; });
  assert(runs == 1);
}

int main() {
  std::thread other(user);
  user();
  other.join();
}
