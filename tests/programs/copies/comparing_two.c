// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DRIGHT sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DLOCKED sc=holds tso=holds pso=holds
//
// memcmp of two places that another thread changes, the left one first or the right one first. C does not say
// which place is read first, so a comparison may meet the left one as it was before and the right one as it is
// after, or the other way round.

#include <assert.h>
#include <pthread.h>
#include <string.h>

static _Alignas(8) char left[8] = "0000000", right[8] = "0000000";
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
}

static void leave(void) {
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
}

/* Changes one place and then the other, so that the place that is changed last is never ahead. */
static void *change(void *unused) {
  enter();
#ifdef RIGHT
  __atomic_store_n((unsigned long *)right, 0x31313131313131, __ATOMIC_SEQ_CST);
  __atomic_store_n((unsigned long *)left, 0x31313131313131, __ATOMIC_SEQ_CST);
#else
  __atomic_store_n((unsigned long *)left, 0x31313131313131, __ATOMIC_SEQ_CST);
  __atomic_store_n((unsigned long *)right, 0x31313131313131, __ATOMIC_SEQ_CST);
#endif
  leave();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  enter();
  int order = memcmp(left, right, 8);
  leave();
  // Who reads the place that is changed last before the other one never finds it ahead.
#ifdef RIGHT
  assert(order <= 0);
#else
  assert(order >= 0);
#endif
  pthread_join(thread, NULL);
}
