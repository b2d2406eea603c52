// check: sc=holds tso=holds pso=holds states=sc:287,tso:287,pso:287
// check: --races sc=holds tso=holds states=sc:287,tso:287
// check: -DSHARED --races sc=violated(data-race) states=sc:405
// check: -DOWN sc=holds tso=holds states=sc:25,tso:25
//
// Threads may use a standard stream at once, and each its own stream in memory. With SHARED they use one.
#include <cassert>
#include <iostream>
#include <sstream>
#include <thread>

int main() {
#ifdef OWN
  auto write = [] {
    std::ostringstream text;
    text << 'n' << 7;
    assert(text.str() == "n7");
  };
  std::thread thread(write);
  write();
#elif defined SHARED
  std::ostringstream text;
  std::thread thread([&] { text << "one"; });
  text << "two";
#else
  std::thread thread([] { std::cout << "one"; });
  std::cout << 2;
#endif
  thread.join();
}
