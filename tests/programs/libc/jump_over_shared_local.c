// check: sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) states=sc:20,tso:17,pso:17
// check: -DJOINED sc=holds tso=holds pso=holds states=sc:11,tso:8,pso:8
//
// A longjmp ends the life of a local variable that another thread may still read.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

static jmp_buf target;
static _Atomic(atomic_int *) shared;

static void *reader(void *unused) {
  atomic_int *seen = atomic_load(&shared);
  return seen && atomic_load(seen) == 7 ? NULL : unused;
}

static void deep(pthread_t thread) {
  atomic_int local = 7;
  atomic_store(&shared, &local);
#ifdef JOINED
  pthread_join(thread, NULL);
#else
  (void)thread;
#endif
  longjmp(target, 1);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  if (setjmp(target) == 0)
    deep(thread);
  return 0;
}
