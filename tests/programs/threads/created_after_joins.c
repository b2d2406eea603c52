// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:11,tso:9,pso:9
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor --keep-going sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=reads-from --keep-going sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --keep-going --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:13,tso:10,pso:10
//
// The first thread joins another one and creates one more before it returns: the execution does not end with
// the join, as the new thread may run before the process ends.
#include <assert.h>
#include <pthread.h>

static int x, seen;

static void *reader(void *unused) {
  seen = x;
  return unused;
}

static void *checker(void *unused) {
  assert(seen == 1);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, reader, NULL);
  x = 1;
  pthread_join(first, NULL);
  pthread_create(&second, NULL, checker, NULL);
  return 0;
}
