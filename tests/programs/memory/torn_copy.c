// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=23 related=none states=sc:21,tso:21,pso:21
//
// A structure of two words is copied while another thread writes it: the copy is not atomic.
#include <assert.h>
#include <pthread.h>

struct pair {
  long first, second;
};

static struct pair shared;
static const struct pair ones = {1, 1};

static void *writer(void *unused) {
  shared = ones;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  struct pair seen = shared;
  assert(seen.first == seen.second);
  pthread_join(thread, NULL);
  return 0;
}
