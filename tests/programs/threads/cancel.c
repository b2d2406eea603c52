// check: sc=refused(cancel.c:12) tso=refused(pthread_cancel) pso=refused(pthread_cancel)
//
// Cancellation is not supported.
#include <pthread.h>

static void *work(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_testcancel();
  pthread_cancel(thread);
  pthread_join(thread, NULL);
  return 0;
}
