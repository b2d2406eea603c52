// check: --svcomp sc=holds tso=holds pso=holds
// check: --svcomp --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --svcomp -DSTOPPED sc=holds tso=holds pso=holds
// check: --svcomp --engine=symbolic -DSTOPPED sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: --svcomp -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error)
// check: --svcomp --engine=symbolic -DTORN sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error)
//
// Nothing of another thread happens within an atomic section: no delayed store of it reaches memory there,
// and it does nothing ever again if the section does not end.
#include <pthread.h>

void reach_error(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static volatile int x, y, stopped;

static void *writer(void *unused) {
  x = 1;
  y = 1;
#ifdef STOPPED
  if (stopped)
    reach_error();
#endif
  return unused;
}

static void *reader(void *unused) {
#ifdef TORN
  int before = x;
  __VERIFIER_atomic_begin();
#else
  __VERIFIER_atomic_begin();
  int before = x;
#endif
#ifdef STOPPED
  stopped = 1;
  __VERIFIER_assume(before == 2);
#endif
  int after = x;
  __VERIFIER_atomic_end();
  if (before != after)
    reach_error();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
