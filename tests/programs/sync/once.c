// check: sc=holds tso=holds pso=holds states=sc:125,tso:99,pso:99
// check: -DC11 sc=holds tso=holds pso=holds states=sc:125,tso:99,pso:99
// check: -DBY_HAND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:127,tso:126,pso:126
// check: -DITSELF sc=violated(relock) tso=violated(relock) pso=violated(relock) states=sc:64,tso:38,pso:38
// check: --races sc=holds tso=holds pso=holds states=sc:170,tso:144,pso:144
// check: -DBY_HAND --races sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:20,tso:12,pso:12
//
// A routine runs once, and whoever comes late waits until it has. A flag by hand does neither.
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static int runs, value;

#ifdef C11
static once_flag control = ONCE_FLAG_INIT;
#else
static pthread_once_t control = PTHREAD_ONCE_INIT;
#endif

static void initialise(void) {
  runs++;
  value = 42;
#ifdef ITSELF
  pthread_once(&control, initialise);
#endif
}

static void *use(void *unused) {
#if defined C11
  call_once(&control, initialise);
#elif defined BY_HAND
  static int done;
  if (!done) {
    done = 1;
    initialise();
  }
  (void)control;
#else
  assert(pthread_once(&control, initialise) == 0);
#endif
  assert(value == 42);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, use, NULL);
  pthread_create(&threads[1], NULL, use, NULL);
  use(NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(runs == 1);
  return 0;
}
