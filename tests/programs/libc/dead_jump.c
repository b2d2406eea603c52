// check: sc=violated(dead-jump) tso=violated(dead-jump) pso=violated(dead-jump) at=31 states=sc:1,tso:1,pso:1
// check: -DAGAIN sc=violated(dead-jump) at=26 states=sc:1
// check: -DUNFILLED sc=violated(invalid-argument) at=37 states=sc:1
// check: -DTHREAD sc=violated(dead-jump) tso=violated(dead-jump) at=20 states=sc:2,tso:2
//
// longjmp to a function that has returned, to one that was called again since, to nowhere, to another thread.
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static jmp_buf target;

static void mark(void) {
  if (setjmp(target) == 5)
    return;
}

static void *runner(void *unused) {
  (void)unused;
  longjmp(target, 1);
}

static void either(int first) {
  volatile int local[6] = {first};
  if (!local[0])
    longjmp(target, 1);
  setjmp(target);
}

static void back(void) {
  longjmp(target, 1);
}

int main(void) {
#ifdef UNFILLED
  jmp_buf empty = {0};
  longjmp(empty, 1);
#elif defined THREAD
  pthread_t thread;
  if (setjmp(target) == 0) {
    pthread_create(&thread, NULL, runner, NULL);
    pthread_join(thread, NULL);
  }
#elif defined AGAIN
  either(1);
  either(0);
#else
  mark();
  back();
#endif
  return 0;
}
