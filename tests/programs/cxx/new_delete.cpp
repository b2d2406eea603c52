// check: sc=holds tso=holds states=sc:1,tso:1
// check: -DTWICE sc=violated(double-free) states=sc:1
// check: -DUSED sc=violated(use-after-free) states=sc:1
//
// operator new and operator delete: plain, arrays, aligned, without exceptions, and those of a class with a
// virtual destructor.
#include <cassert>
#include <cstdint>
#include <memory>
#include <new>

struct Base {
  virtual ~Base() {}
  virtual int number() const { return 1; }
};

struct Derived : Base {
  int values[3] = {1, 2, 3};
  int number() const override { return values[1]; }
};

struct alignas(64) Line {
  char bytes[64];
};

int main() {
  std::unique_ptr<Base> object(new Derived);
  assert(object->number() == 2);
  int *several = new int[4]{1, 2, 3, 4};
  assert(several[3] == 4);
  delete[] several;
  Line *line = new Line;
  assert(reinterpret_cast<std::uintptr_t>(line) % 64 == 0);
  delete line;
  int *one = new (std::nothrow) int(5);
  assert(one && *one == 5);
  delete one;
#ifdef TWICE
  delete one;
#endif
#ifdef USED
  assert(*one == 5);
#endif
}
