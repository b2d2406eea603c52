// check: sc=holds tso=holds pso=holds states=sc:25,tso:25,pso:25
// check: -DSAME sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:32,tso:32,pso:32
// executions: sc=2 tso=2 pso=2
// executions: -DOTHER sc=1 tso=1 pso=1
//
// One thread joins what main created while another thread is created. If main creates it, it may get the number that
// becomes free, so both orders are explored; with SAME it is asserted that it never does. With OTHER a thread creates
// it that has created nothing else, and the order makes no difference.
#include <assert.h>
#include <pthread.h>

static pthread_t first;

static void *nothing(void *argument) {
  return argument;
}

static void *join_first(void *argument) {
  pthread_join(first, NULL);
  return argument;
}

static void *create(void *argument) {
  pthread_t third;
  pthread_create(&third, NULL, nothing, NULL);
#ifdef SAME
  assert(!pthread_equal(third, first));
#endif
  pthread_join(third, NULL);
  return argument;
}

int main(void) {
  pthread_t second;
  pthread_create(&first, NULL, nothing, NULL);
#ifdef OTHER
  pthread_t creator;
  pthread_create(&creator, NULL, create, NULL);
#endif
  pthread_create(&second, NULL, join_first, NULL);
#ifdef OTHER
  pthread_join(creator, NULL);
#else
  create(NULL);
#endif
  pthread_join(second, NULL);
  return 0;
}
