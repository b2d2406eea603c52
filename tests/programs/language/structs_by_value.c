// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --cflags=-O2 sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// Small structures travel in registers, large ones by hidden pointers; the callee's copy is its own.
#include <assert.h>

struct point {
  int x, y;
};

struct matrix {
  long cell[2][3];
};

static struct point mirrored(struct point p) {
  p.x = -p.x;
  return p;
}

static struct matrix filled(struct matrix m, long value) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      m.cell[i][j] += value;
  return m;
}

static struct point shared = {3, 4};
static struct matrix zero;

int main(void) {
  struct point p = mirrored(shared);
  assert(p.x == -3 && p.y == 4 && shared.x == 3);
  struct matrix m = filled(filled(zero, 5), 1);
  assert(m.cell[0][0] == 6 && m.cell[1][2] == 6 && zero.cell[1][2] == 0);
  return 0;
}
