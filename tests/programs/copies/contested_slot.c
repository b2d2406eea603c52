// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:83,tso:72,pso:72
// check: -DFIXED sc=holds tso=holds pso=holds states=sc:99,tso:76,pso:76
// check: --engine=dpor -DFIXED sc=holds tso=holds pso=holds
//
// A sequence lock around a structure assignment. Without the reader's second look at the counter its copy may be torn.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
  long first, second;
};

static struct pair data;
static atomic_int sequence;

static void *writer(void *unused) {
  struct pair next = {1, 1};
  atomic_store(&sequence, 1);
  data = next;
  atomic_store(&sequence, 2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int before = atomic_load(&sequence);
  struct pair copy = data;
  int after = atomic_load(&sequence);
#ifdef FIXED
  if (before == after && before % 2 == 0)
#else
  if (before % 2 == 0)
#endif
    assert(copy.first == copy.second);
  (void)after;
  pthread_join(thread, NULL);
  return 0;
}
