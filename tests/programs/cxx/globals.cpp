// check: sc=holds tso=holds states=sc:1,tso:1
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) states=sc:1,tso:1
//
// Constructors of globals run before main in order; destructors and handlers of atexit run after it in the
// opposite order.
#include <cassert>
#include <cstdlib>

static int step;

struct Global {
  int begin, end;
  Global(int begin, int end) : begin(begin), end(end) { assert(step++ == begin); }
  ~Global() { assert(step++ == end); }
};

#ifdef WRONG
Global first(0, 4), second(1, 5);
#else
Global first(0, 5), second(1, 4);
#endif

int main() {
  assert(step++ == 2);
  std::atexit([] { assert(step++ == 3); });
}
