// check: --svcomp sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: --svcomp -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error) states=sc:6,tso:6,pso:6
// check: --svcomp --engine=symbolic -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error)
//
// An atomic function that calls another is one atomic section: it does not end with the inner one.
#include <pthread.h>

void reach_error(void);

int from = 1, to;

static void __VERIFIER_atomic_take(void) { from--; }
static void __VERIFIER_atomic_put(void) { to++; }

static void __VERIFIER_atomic_move(void) {
  __VERIFIER_atomic_take();
  __VERIFIER_atomic_put();
}

static void __VERIFIER_atomic_look(void) {
  if (from + to != 1)
    reach_error();
}

static void *mover(void *unused) {
#ifdef TORN
  __VERIFIER_atomic_take();
  __VERIFIER_atomic_put();
#else
  __VERIFIER_atomic_move();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, mover, 0);
  __VERIFIER_atomic_look();
  pthread_join(thread, 0);
  return 0;
}
