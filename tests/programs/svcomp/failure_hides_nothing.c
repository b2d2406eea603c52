// check: --svcomp --property=unreach-call sc=violated(reach-error) tso=violated(reach-error) pso=violated(reach-error) at=14 states=sc:5,tso:5,pso:5
// check: --svcomp sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=23 states=sc:3,tso:3,pso:3
//
// The assertion fails in every execution, right after the threads were created. For a property that is not about assertions this is just an end, and what the
// second thread may have done before counts.
#include <assert.h>
#include <pthread.h>

void reach_error(void);

static void *idle(void *unused) { return unused; }

static void *worker(void *unused) {
  reach_error();
  return unused;
}

int main(void) {
  int checked = 0;
  pthread_t first, second;
  pthread_create(&first, NULL, idle, NULL);
  pthread_create(&second, NULL, worker, NULL);
  assert(checked);
  return 0;
}
