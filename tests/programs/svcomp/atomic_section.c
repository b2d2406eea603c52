// check: --svcomp sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: --svcomp -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error) states=sc:14,tso:15,pso:15
// check: --svcomp --engine=symbolic -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error)
// check: sc=refused(--svcomp) tso=refused(--svcomp) pso=refused(--svcomp)
//
// Two threads increment a counter in atomic sections, by the pair of functions and by a function's name.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int counter;

static void __VERIFIER_atomic_increment(void) { counter = counter + 1; }

static void *first(void *unused) {
#ifndef TORN
  __VERIFIER_atomic_begin();
#endif
  counter = counter + 1;
#ifndef TORN
  __VERIFIER_atomic_end();
#endif
  return unused;
}

static void *second(void *unused) {
  __VERIFIER_atomic_increment();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  if (counter != 2)
    reach_error();
  return 0;
}
