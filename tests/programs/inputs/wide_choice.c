// check: sc=holds tso=holds pso=holds
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DVARIABLE sc=unknown(nondet) tso=unknown(nondet) pso=unknown(nondet)
//
// A choice among more values than can be tried one by one.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>

static volatile unsigned chosen;

static void *look(void *unused) {
  unsigned seen = chosen;
  assert(seen < 4000000000u);
#ifdef WRONG
  assert(seen != 3000000000u);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef VARIABLE
  volatile unsigned count = 4000000000u;
  chosen = rmc_choose(count);
#else
  chosen = rmc_choose(4000000000u);
#endif
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  return 0;
}
