// check: sc=holds states=sc:13
// check: -DSIDEWAYS sc=holds states=sc:14
//
// dynamic_cast: down, across, to the whole object, through virtual bases, to bases that are ambiguous or not
// public, and in constructors. The assertions hold natively, too.
#include <cassert>
#include <typeinfo>

struct Top {
  virtual ~Top() {}
  int top = 1;
};
struct Left : virtual Top {
  int left = 2;
};
struct Right : virtual Top {
  int right = 3;
};
struct Bottom : Left, Right {
  int bottom = 4;
};

struct Side {
  virtual ~Side() {}
  int side = 5;
};
struct Hidden {
  virtual ~Hidden() {}
  int hidden = 6;
};
struct Derived : Top, Side, private Hidden {
  Hidden *as_hidden() {
    return this;
  }
  int derived = 7;
};

struct Twice : Side {};
struct Again : Side {};
struct Both : Twice, Again {};
struct Other : Side {};

struct Early : Side {
  bool was_late;
  Early();
};
struct Late : Early {};
Early::Early() : was_late(dynamic_cast<Late *>(static_cast<Side *>(this)) != nullptr) {}

int main() {
  Bottom bottom;
  Top *top = &bottom;
  assert(dynamic_cast<Bottom *>(top) == &bottom && dynamic_cast<Bottom *>(top)->bottom == 4);
  assert(dynamic_cast<Right *>(top)->right == 3);
  assert(dynamic_cast<void *>(static_cast<Right *>(&bottom)) == &bottom);
  assert(typeid(*top) == typeid(Bottom));
#ifdef SIDEWAYS
  assert(dynamic_cast<Right *>(static_cast<Left *>(&bottom))->right == 3);
#endif
  Derived derived;
  Side *side = &derived;
  assert(dynamic_cast<Derived *>(side)->derived == 7);
  assert(dynamic_cast<Top *>(side)->top == 1);
  assert(dynamic_cast<Hidden *>(side) == nullptr);
  assert(dynamic_cast<Derived *>(derived.as_hidden()) == nullptr);
  assert(dynamic_cast<Side *>(derived.as_hidden()) == nullptr);
  assert(dynamic_cast<Other *>(side) == nullptr);
  assert(dynamic_cast<Derived *>(static_cast<Side *>(nullptr)) == nullptr);
  Both both;
  Side *one = static_cast<Twice *>(&both);
  assert(dynamic_cast<Both *>(one) == &both && dynamic_cast<Again *>(one) == &both);
  Top *plain = new Top;
  assert(dynamic_cast<Bottom *>(plain) == nullptr);
  delete plain;
  Late late;
  assert(!late.was_late && dynamic_cast<Late *>(static_cast<Side *>(&late)) == &late);
}
