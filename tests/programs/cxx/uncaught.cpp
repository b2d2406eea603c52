// check: -DNUMBER sc=violated(uncaught-exception) at=45 states=sc:1
// check: -DTEXT sc=violated(uncaught-exception) tso=violated(uncaught-exception) states=sc:1,tso:1
// check: -DDERIVED sc=violated(uncaught-exception) states=sc:2
// check: -DRETHROWN sc=violated(uncaught-exception) states=sc:1
// check: -DNOEXCEPT sc=violated(uncaught-exception) states=sc:1
// check: -DTHREAD sc=violated(uncaught-exception) tso=violated(uncaught-exception) states=sc:3,tso:3
// check: -DDESTRUCTOR sc=violated(uncaught-exception) states=sc:1
// check: -DPOINTER sc=violated(uncaught-exception) states=sc:1
// check: -DGLOBAL sc=violated(uncaught-exception) states=sc:1
// check: -DTERMINATE sc=violated(abort) states=sc:1
// check: -DHANDLER sc=holds states=sc:1
// check: -DRETURNS sc=violated(abort) states=sc:1
// check: -DNOTHING sc=violated(abort) states=sc:1
//
// Exceptions that nothing catches end the program where they were thrown: no destructor runs.
#include <cassert>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

struct Checked {
  ~Checked() { assert(false); }
};

struct Error : std::runtime_error {
  Error() : std::runtime_error("of our own") {}
};

struct Throws {
  ~Throws() { throw 3; }
};

int throwing() {
  throw 4;
}

#ifdef GLOBAL
int global = throwing();
#endif

int main() {
#ifdef NUMBER
  Checked checked;
  throw 1;
#elif defined TEXT
  Checked checked;
  throw std::out_of_range("too far");
#elif defined DERIVED
  try {
    Checked checked;
    throw Error();
  } catch (const std::logic_error &) {
  }
#elif defined RETHROWN
  try {
    throw Error();
  } catch (const std::exception &) {
    throw;
  }
#elif defined NOEXCEPT
  try {
    []() noexcept { throw Error(); }();
  } catch (...) {
  }
#elif defined THREAD
  try {
    std::thread([] { throw Error(); }).join();
  } catch (...) {
  }
#elif defined DESTRUCTOR
  try {
    Throws throws;
  } catch (...) {
  }
#elif defined POINTER
  std::rethrow_exception(std::make_exception_ptr(Error()));
#elif defined TERMINATE
  std::terminate();
#elif defined HANDLER
  std::set_terminate([] {
    try {
      throw;
    } catch (int number) {
      std::exit(number - 5);
    }
  });
  throw 5;
#elif defined RETURNS
  std::set_terminate([] {});
  throw 5;
#elif defined NOTHING
  throw;
#endif
}
