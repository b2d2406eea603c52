// check: sc=refused(pthread_join) tso=refused(pthread_join) pso=refused(pthread_join)
// check: --engine=dpor sc=refused(pthread_join) tso=refused(pthread_join) pso=refused(pthread_join)
// check: --engine=reads-from sc=refused(pthread_join) tso=refused(pthread_join) pso=refused(pthread_join)
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DDETACHED sc=refused(pthread_detach) tso=refused(pthread_detach) pso=refused(pthread_detach)
//
// The main thread may be joined where it ends by pthread_exit.
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *joins(void *unused) {
#ifdef DETACHED
  pthread_detach(first);
#else
  void *result;
  assert(pthread_join(first, &result) == 0 && result == &first);
#endif
  return unused;
}

int main(void) {
  first = pthread_self();
  pthread_t thread;
  pthread_create(&thread, 0, joins, 0);
  pthread_exit(&first);
}
