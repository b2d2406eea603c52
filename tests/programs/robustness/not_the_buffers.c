// The assertion fails, but not because of store buffers: every execution is sequentially consistent up to there.
// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:11,pso:11
// check: --robustness --keep-going sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)

#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *unused) {
  x++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  x++;
  pthread_join(thread, NULL);
  assert(x == 2);
  return 0;
}
