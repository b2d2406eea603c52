// check: sc=holds tso=holds states=sc:3,tso:3
//
// Whether a thread can be cancelled is remembered for each; nothing cancels one.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *work(void *unused) {
  int old;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
  assert(pthread_setcanceltype(7, &old) == EINVAL);
  pthread_testcancel();
  return unused;
}

int main(void) {
  pthread_t thread;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
}
