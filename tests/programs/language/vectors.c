// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Vector arithmetic, comparison, elements and memory; -O2 makes vectors also of the loop.
#include <assert.h>

typedef int vector __attribute__((vector_size(16)));

static vector shared = {1, 2, 3, 4};
static int squares[16];

int main(void) {
  vector doubled = shared + shared;
  vector larger = doubled > 4;
  shared = doubled;
  assert(shared[0] == 2 && shared[3] == 8);
  assert(larger[1] == 0 && larger[2] == -1);
  for (int i = 0; i < 16; i++)
    squares[i] = i * i;
  int sum = 0;
  for (int i = 0; i < 16; i++)
    sum += squares[i];
  assert(sum == 1240);
  return 0;
}
