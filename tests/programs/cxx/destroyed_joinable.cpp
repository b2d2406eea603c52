// check: sc=violated(abort) tso=violated(abort) states=sc:3,tso:3
//
// A std::thread that is destroyed before join or detach terminates the program.
#include <thread>

int main() {
  std::thread thread([] {});
}
