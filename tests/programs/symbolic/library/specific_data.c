// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DDELETED sc=violated(invalid-key) tso=violated(invalid-key) pso=violated(invalid-key)
// check: --engine=symbolic -DDELETED sc=violated(invalid-key) tso=violated(invalid-key) pso=violated(invalid-key)
//
// Each thread has its own value of a key, and the destructor gets it at the thread's end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;
static int values[2] = {1, 2};

static void destroy(void *value) {
  destroyed += *(int *)value;
}

static void *work(void *argument) {
  pthread_setspecific(key, argument);
  assert(pthread_getspecific(key) == argument);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  pthread_key_create(&key, destroy);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, &values[i]);
#ifdef DELETED
  pthread_key_delete(key);
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
#ifdef WRONG
  assert(destroyed != 3);
#else
  assert(destroyed == 3);
#endif
  assert(pthread_getspecific(key) == 0);
  return 0;
}
