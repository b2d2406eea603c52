// check: sc=holds states=sc:1
// C99: no file need define the function again for calls that are inlined, so its body here is the one that counts.
#include <assert.h>

inline int twice(int number) { return 2 * number; }

int main(void) {
  assert(twice(21) == 42);
  return 0;
}
