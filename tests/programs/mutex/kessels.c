// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:123,tso:156,pso:259
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:123,tso:123,pso:135
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:123,tso:123,pso:123
//
// J. L. W. Kessels, "Arbitration without common modifiable variables", Acta Informatica 17(2), 1982: Peterson's turn is
// split in two bits, each written by one thread. The fence after flag is needed under TSO also: a thread that reads the
// other's bit before its flag is visible decides with an old bit. It then orders flag and bit under PSO, too.
#include "mutex.h"

static atomic_int flag[2], bit[2];

// The bits are equal when thread 0 has to wait, and differ when thread 1 has.
static int must_wait(int me, int mine) {
  int equal = mine == GET(bit[1 - me]);
  return equal == (me == 0);
}

static void lock(int me) {
  int other = 1 - me;
  SET(flag[me], 1);
  store_load();
  int mine = me == 0 ? GET(bit[other]) : 1 - GET(bit[other]);
  SET(bit[me], mine);
  store_load();
  while (GET(flag[other]) && must_wait(me, mine))
    ;
}

static void unlock(int me) {
  store_store();
  SET(flag[me], 0);
}
