// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:227,tso:429,pso:966
// check: -DFENCE_TSO sc=holds tso=holds pso=violated(assertion) states=sc:227,tso:194,pso:223
// check: -DFENCE_PSO sc=holds tso=holds pso=holds states=sc:227,tso:194,pso:216
//
// E. W. Dijkstra, "Solution of a problem in concurrent programming control", Communications of the ACM 8(9), 1965;
// interested and inside are the negations of his b and c, favoured is his k. Safety rests on inside alone. The
// withdrawal is fenced only because it is in a loop, which would otherwise fill the buffer without end.
#include "mutex.h"

static atomic_int interested[THREADS], inside[THREADS], favoured;

static int another_inside(int me) {
  for (int i = 0; i < THREADS; i++)
    if (i != me && GET(inside[i]))
      return 1;
  return 0;
}

static void become_favoured(int me) {
  int current;
  while ((current = GET(favoured)) != me) {
    SET(inside[me], 0);
    store_load();
    if (!GET(interested[current]))
      SET(favoured, me);
  }
}

static void lock(int me) {
  SET(interested[me], 1);
  do {
    become_favoured(me);
    SET(inside[me], 1);
    store_load();
  } while (another_inside(me));
}

static void unlock(int me) {
  store_store();
  SET(inside[me], 0);
  SET(interested[me], 0);
}
