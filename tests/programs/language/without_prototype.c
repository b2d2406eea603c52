// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Functions without a prototype, called directly and through a pointer.
#include <assert.h>
int add();
int (*fp)();
int main(void) {
  assert(add(1, 2) == 3);
  fp = add;
  assert(fp(3, 4) == 7);
  return 0;
}
int add(a, b)
int a;
int b;
{ return a + b; }
