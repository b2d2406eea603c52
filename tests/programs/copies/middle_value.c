// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:47,tso:51,pso:70
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A part of a copy may be a value that its place had neither when the copy began nor when it ended.
#include <assert.h>
#include <pthread.h>

struct pair {
  long first, second;
};

static struct pair shared;

static void *writer(void *unused) {
  *(volatile long *)&shared.first = 1;
  *(volatile long *)&shared.second = 1;
  *(volatile long *)&shared.first = 2;
  *(volatile long *)&shared.second = 2;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  struct pair copy = shared;
  assert(!(copy.first == 1 && copy.second == 2));
  pthread_join(thread, NULL);
  return 0;
}
