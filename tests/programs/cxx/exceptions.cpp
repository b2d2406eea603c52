// check: sc=holds tso=holds states=sc:26,tso:26
//
// Exceptions: which handlers catch them, which cleanups run, and in which order. The assertions hold natively,
// too.
#include <cassert>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

// The order in which things happen.
std::string trace;

struct Note {
  char name;
  explicit Note(char name) : name(name) {}
  ~Note() { trace += name; }
};

struct Base {
  int value = 1;
  virtual ~Base() {}
};
struct Other {
  int other = 2;
};
struct Derived : Other, Base {
  int more = 3;
};
struct Hidden : private Base {};
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Diamond : Left, Right {};
struct Twice1 : Base {};
struct Twice2 : Base {};
struct Ambiguous : Twice1, Twice2 {};

template <typename Thrown, typename Wanted> bool catches(Thrown thrown) {
  try {
    Note note('.');
    throw thrown;
  } catch (Wanted) {
    return true;
  } catch (...) {
    return false;
  }
}

void types() {
  assert((catches<int, int>(1)));
  assert((!catches<int, long>(1)));
  assert((catches<int, const int &>(1)));
  assert((catches<Derived, Base &>(Derived())));
  assert((catches<Derived, Other>(Derived())));
  assert((!catches<Hidden, Base &>(Hidden())));
  assert((catches<Diamond, Base &>(Diamond())));
  assert((!catches<Ambiguous, Base &>(Ambiguous())));
  Derived derived;
  int number = 0;
  assert((catches<Derived *, Base *>(&derived)));
  assert((catches<Derived *, const Base *>(&derived)));
  assert((!catches<const Derived *, Base *>(&derived)));
  assert((catches<Derived *, void *>(&derived)));
  assert((!catches<Base *, Derived *>(&derived)));
  assert((catches<int *, const int *const &>(&number)));
  assert((!catches<int **, const int **>(nullptr)));
  assert((catches<int **, const int *const *>(nullptr)));
  assert((catches<std::nullptr_t, int *>(nullptr)));
  assert((!catches<void (*)(), void *>(nullptr)));
}

void parts() {
  try {
    throw Derived();
  } catch (Base &base) {
    assert(base.value == 1 && typeid(base) == typeid(Derived));
  }
  Derived derived;
  try {
    throw &derived;
  } catch (Base *base) {
    assert(base == &derived && base->value == 1);
  }
  try {
    throw 1;
  } catch (int &number) {
    number++;
    try {
      throw;
    } catch (int again) {
      assert(again == 2);
    }
  }
  int number = 5;
  try {
    throw &number;
  } catch (int *&pointer) {
    assert(pointer == &number);
  }
}

void thrower(int depth) {
  Note note(static_cast<char>('a' + depth));
  if (depth == 3)
    throw std::runtime_error("deep");
  thrower(depth + 1);
}

void cleanups() {
  trace.clear();
  try {
    Note note('x');
    thrower(0);
    assert(false);
  } catch (const std::logic_error &) {
    assert(false);
  } catch (const std::exception &error) {
    assert(std::string(error.what()) == "deep");
    trace += '!';
  }
  assert(trace == "dcbax!");
}

struct Part {
  Note note;
  Part(char name, bool throws) : note(name) {
    if (throws)
      throw name;
  }
};

struct Whole {
  Part first{'1', false}, second{'2', false}, third{'3', true};
  ~Whole() { assert(false); }
};

void constructors() {
  trace.clear();
  try {
    Whole whole;
  } catch (char name) {
    assert(name == '3');
  }
  assert(trace == "321");
  trace.clear();
  try {
    delete new Whole;
  } catch (char) {
  }
  assert(trace == "321");
  try {
    Part many[2] = {{'4', false}, {'5', true}};
  } catch (char) {
  }
  assert(trace == "32154");
}

struct Counted {
  static int living;
  Counted() { living++; }
  Counted(const Counted &) { living++; }
  ~Counted() { living--; }
};
int Counted::living = 0;

struct ThrowsInside {
  ~ThrowsInside() {
    assert(std::uncaught_exceptions() == 1);
    try {
      throw 'i';
    } catch (char inside) {
      assert(inside == 'i' && std::uncaught_exceptions() == 1);
    }
  }
};

void nested() {
  try {
    ThrowsInside inside;
    throw 1;
  } catch (int number) {
    assert(number == 1 && std::uncaught_exceptions() == 0);
    try {
      throw Counted();
    } catch (Counted &) {
      assert(Counted::living == 1);
      try {
        throw;
      } catch (...) {
        assert(Counted::living == 1);
      }
      assert(Counted::living == 1);
    }
    assert(Counted::living == 0);
    try {
      throw;
    } catch (int again) {
      assert(again == 1);
    }
  }
  assert(!std::current_exception());
}

void pointers() {
  std::exception_ptr kept, made = std::make_exception_ptr(std::logic_error("made"));
  try {
    throw Counted();
  } catch (...) {
    kept = std::current_exception();
  }
  assert(kept && Counted::living == 1);
  try {
    std::rethrow_exception(kept);
  } catch (Counted &) {
    assert(std::current_exception() == kept);
  }
  kept = nullptr;
  assert(Counted::living == 0);
  try {
    std::rethrow_exception(made);
  } catch (const std::exception &error) {
    assert(std::string(error.what()) == "made");
  }
  try {
    try {
      throw 7;
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::exception &error) {
    try {
      std::rethrow_if_nested(error);
      assert(false);
    } catch (int inner) {
      assert(inner == 7);
    }
  }
}

int body(int number) try {
  if (number)
    throw number;
  return 0;
} catch (int caught) {
  return caught + 1;
}

int main() {
  types();
  parts();
  cleanups();
  constructors();
  nested();
  pointers();
  assert(body(0) == 0 && body(1) == 2);
}
