// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
//
// pthread_self is what pthread_create reported, and no other thread's.
#include <assert.h>
#include <pthread.h>

static pthread_t inside;

static void *report(void *unused) {
  inside = pthread_self();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, report, NULL);
  assert(pthread_join(thread, NULL) == 0);
  assert(thread == inside);
  assert(thread != pthread_self());
  return 0;
}
