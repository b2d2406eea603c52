// check: sc=holds tso=holds pso=holds states=sc:74,tso:74,pso:74
// check: -DWATCHED sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:11,tso:11,pso:11
// executions: sc=1 tso=1 pso=1
// executions: -DN=3 sc=1 tso=1 pso=1
// executions: -DN=6 sc=1 tso=1 pso=1
// executions: -DLOOKS sc=18 tso=18 pso=18
// executions: -DLOOKS -DN=3 sc=384 tso=384 pso=384
// executions: -DCREATES sc=1 tso=1 pso=1
// executions: -DCREATES -DN=3 sc=1 tso=1 pso=1
//
// Threads that create a thread each: in which order they do makes no difference. With CREATES main creates and joins
// threads meanwhile, which makes no difference either.
//
// With LOOKS all created threads store to one variable and their creators load it. The stores have N! orders, and
// each load is before one of them or after all: N! (N + 1)^N executions.
//
// With WATCHED what the first creator created sees that the second one has created nothing yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int shared;
static atomic_int created;

static void *child(void *argument) {
#ifdef LOOKS
  atomic_store(&shared, 1);
#endif
#ifdef WATCHED
  if (argument == NULL)
    assert(atomic_load(&created) == 1);
#endif
  return argument;
}

static void *creator(void *argument) {
  pthread_t mine;
  pthread_create(&mine, NULL, child, argument);
#ifdef WATCHED
  if ((long)argument == 1)
    atomic_store(&created, 1);
#endif
#ifdef LOOKS
  (void)atomic_load(&shared);
#endif
  pthread_join(mine, NULL);
  return NULL;
}

int main(void) {
  pthread_t creators[N];
  for (long i = 0; i < N; i++)
    pthread_create(&creators[i], NULL, creator, (void *)i);
#ifdef CREATES
  for (int i = 0; i < 3; i++) {
    pthread_t own;
    pthread_create(&own, NULL, child, &own);
    pthread_join(own, NULL);
  }
#endif
  for (int i = 0; i < N; i++)
    pthread_join(creators[i], NULL);
  return 0;
}
