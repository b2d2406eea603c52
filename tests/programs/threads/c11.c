// check: sc=holds tso=holds pso=holds states=sc:23,tso:21,pso:23
// check: -DJOIN_TWICE sc=violated(join-twice) tso=violated(join-twice) pso=violated(join-twice) states=sc:13,tso:11,pso:11
//
// C11's threads: results, identity, detaching, sleeping.
#include <assert.h>
#include <threads.h>
#include <time.h>

static thrd_t inside;

static int answer(void *argument) {
  inside = thrd_current();
  if (*(int *)argument < 0)
    thrd_exit(*(int *)argument);
  return *(int *)argument;
}

static int nothing(void *unused) {
  (void)unused;
  return 0;
}

int main(void) {
  thrd_t thread;
  int numbers[2] = {7, -7}, result;
  for (int i = 0; i < 2; i++) {
    assert(thrd_create(&thread, answer, &numbers[i]) == thrd_success);
    thrd_yield();
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == numbers[i]);
    assert(thrd_equal(thread, inside) && !thrd_equal(thread, thrd_current()));
  }
#ifdef JOIN_TWICE
  thrd_join(thread, NULL);
#endif
  assert(thrd_create(&thread, nothing, NULL) == thrd_success);
  assert(thrd_detach(thread) == thrd_success);
  struct timespec time = {0, 1};
  assert(thrd_sleep(&time, NULL) == 0);
  return 0;
}
