// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=48 states=sc:11,tso:8,pso:8
// check: -DRIGHT sc=holds tso=holds pso=holds states=sc:17,tso:10,pso:10
// check: --engine=dpor --unroll=2 -DRIGHT sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --engine=dpor --unroll=3 -DRIGHT sc=holds tso=holds pso=holds
// check: --engine=dpor --unroll=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=48
// check: --engine=dpor-source --unroll=2 -DRIGHT sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --engine=dpor --unroll=2 -DRETRIES sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: -DRETRIES sc=holds tso=holds pso=holds states=sc:14,tso:12,pso:12
// check: --engine=dpor --unroll=2 -DNESTED sc=holds tso=holds pso=holds
// check: --engine=dpor --unroll=1 -DNESTED sc=unknown(loop-bound) tso=unknown(loop-bound) pso=unknown(loop-bound)
// check: --unroll=2 sc=refused(unroll) tso=refused(unroll)
//
// The bound on loops of the stateless engine. A loop that counts to three is cut off by --unroll=2, but what goes wrong within the bound is found. A loop that
// takes a lock, looks and releases it goes round without end (-DRETRIES); the explicit engine sees that the states repeat. Loops within loops count anew (-DNESTED).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)

static atomic_int done, steps;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#if defined RETRIES
  int seen;
  do {
    pthread_mutex_lock(&mutex);
    seen = GET(done);
    pthread_mutex_unlock(&mutex);
  } while (!seen);
#elif defined NESTED
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      SET(steps, GET(steps) + 1);
#else
  for (int i = 0; i < 3; i++)
    SET(steps, i);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
#if !defined RIGHT && !defined RETRIES && !defined NESTED
  assert(GET(steps) == 0);
#endif
  pthread_mutex_lock(&mutex);
  SET(done, 1);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  return 0;
}
