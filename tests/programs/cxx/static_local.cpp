// check: sc=holds tso=holds pso=holds states=sc:55,tso:40,pso:40
//
// A static local variable is initialised once, and every thread that passes its declaration sees it
// initialised.
#include <cassert>
#include <thread>

static int constructed;

struct Settings {
  int value;
  Settings() : value(3) { constructed++; }
};

static Settings &settings() {
  static Settings only;
  return only;
}

int main() {
  std::thread other([] { assert(settings().value == 3); });
  assert(settings().value == 3);
  other.join();
  assert(constructed == 1);
}
