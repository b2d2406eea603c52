// check: sc=violated(abort) tso=violated(abort) states=sc:1,tso:1
//
// A std::thread that is destroyed before join or detach terminates the program.
#include <thread>

int main() {
  std::thread thread([] {});
}
