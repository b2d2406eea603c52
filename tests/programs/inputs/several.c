// check: --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --svcomp --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// Three assertions fail, each for other values of two inputs. One of them fails only while another thread is
// about to fail, too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

static atomic_int shared, seen;

static void *other(void *unused) {
  int found = shared;
  if (found > 1000)
    assert(found != 77777);
  if (found == -5)
    assert(!seen);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int x = __VERIFIER_nondet_int();
  shared = x;
  seen = 1;
  assert(x != -5 && x != 123456);
  pthread_join(thread, 0);
  return 0;
}
