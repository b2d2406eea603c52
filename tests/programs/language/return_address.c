// check: sc=holds tso=holds pso=holds states=sc:3,tso:3,pso:3
// check: -DREAD sc=violated(wild-pointer) tso=violated(wild-pointer) pso=violated(wild-pointer) states=sc:3,tso:3,pso:3
//
// optimised: differs an unrolled loop has a call for each turn, and functions are inlined
//
// Where a function returns to: another place for each call, the same whenever that call is made, nothing to
// read.
#include <assert.h>
#include <pthread.h>

static void *own(void) {
  return __builtin_return_address(0);
}

static void *of_caller(void) {
  return __builtin_return_address(1);
}

static void *through(void) {
  return of_caller();
}

static void *thread(void *unused) {
  (void)unused;
  return own();
}

int main(void) {
  void *first = own(), *second = own(), *loop[2];
  for (int i = 0; i < 2; i++)
    loop[i] = own();
  assert(first && first != second && loop[0] == loop[1] && loop[0] != second);
  assert(through() != through());
  pthread_t other;
  void *far;
  pthread_create(&other, 0, thread, 0);
  pthread_join(other, &far);
  assert(far != first && __builtin_return_address(0) != first);
#ifdef READ
  return *(char *)first;
#endif
  return 0;
}
