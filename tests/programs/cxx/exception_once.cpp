// check: sc=holds tso=holds states=sc:123,tso:86
//
// Initialisation that throws an exception has not happened, and the next thread tries again.
#include <cassert>
#include <mutex>
#include <thread>

int tries;

struct Object {
  int value;
  Object() : value(5) {
    if (tries++ == 0)
      throw 1;
  }
};

Object &object() {
  static Object object;
  return object;
}

void use() {
  for (int round = 0;; round++)
    try {
      assert(object().value == 5);
      return;
    } catch (int) {
      assert(round == 0);
    }
}

std::once_flag flag;
int runs;

void once() {
  try {
    std::call_once(flag, [] {
      if (runs++ == 0)
        throw 1;
    });
  } catch (int) {
  }
}

int main() {
  std::thread thread(use);
  use();
  thread.join();
  assert(tries == 2);
  once();
  once();
  once();
  assert(runs == 2);
}
