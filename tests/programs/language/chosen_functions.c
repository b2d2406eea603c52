// check: sc=holds tso=holds pso=holds states=sc:4,tso:4,pso:4
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:4,tso:4,pso:4
// check: --engine=symbolic -DWRONG sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// A function that a resolver chooses before the program starts, also before its constructors.
#include <assert.h>
#include <pthread.h>

static int resolved;

static int one(int x) {
  return x + 1;
}

static int two(int x) {
  return x + 2;
}

static int (*choose(void))(int) {
  resolved++;
  return sizeof(long) == 8 ? two : one;
}

int chosen(int x) __attribute__((ifunc("choose")));

static int early;

__attribute__((constructor)) static void construct(void) {
  early = chosen(5);
}

static void *thread(void *result) {
  *(int *)result = chosen(1);
  return (void *)chosen;
}

int main(void) {
  int result;
  pthread_t other;
  void *function;
  pthread_create(&other, 0, thread, &result);
  pthread_join(other, &function);
  assert(early == 7 && result == 3 && resolved == 1);
  assert(function == (void *)two);
#ifdef WRONG
  assert(((int (*)(int))function)(1) == 2);
#endif
  return 0;
}
