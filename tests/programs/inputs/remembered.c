// check: --svcomp sc=holds tso=holds pso=holds states=sc:8,tso:8,pso:8
// check: --svcomp -DOTHER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:8,tso:8,pso:8
//
// One thread finds two inputs equal, or one below a third. Other threads know that later, also when the
// comparison itself is long gone.
#include <assert.h>
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

unsigned a, b;

static void *compare(void *unused) {
  (void)unused;
  unsigned limit = __VERIFIER_nondet_uint();
  if (a != b || a >= limit)
    pthread_exit((void *)1);
  return 0;
}

int main(void) {
  pthread_t thread;
  void *differs;
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  a = x;
  b = y;
  pthread_create(&thread, 0, compare, 0);
  pthread_join(thread, &differs);
  if (!differs) {
    assert(x == y);
    assert(x != 4294967295u);
#ifdef OTHER
    assert(y != 4294967294u);
#endif
  }
  return 0;
}
