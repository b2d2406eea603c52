// check: sc=holds tso=holds pso=holds states=sc:75,tso:67,pso:67
// check: -DC11 sc=holds tso=holds pso=holds states=sc:75,tso:67,pso:67
// check: -DDELETED sc=violated(invalid-key) tso=violated(invalid-key) pso=violated(invalid-key) states=sc:75,tso:67,pso:67
// check: -DNEVER sc=violated(invalid-key) tso=violated(invalid-key) pso=violated(invalid-key) states=sc:1,tso:1,pso:1
//
// Each thread has its own value of a key, which its destructor gets when the thread ends: in up to four rounds if it sets it again, and not at exit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>

static pthread_key_t counted, plain;
static int rounds, freed;

static void again(void *value) {
  rounds++;
  pthread_setspecific(counted, value);
}

static void destroy(void *value) {
  freed += *(int *)value;
  free(value);
}

static void *work(void *argument) {
  assert(pthread_getspecific(plain) == NULL);
  int *own = malloc(sizeof *own);
  *own = 5;
#ifdef C11
  assert(tss_set(plain, own) == thrd_success && tss_get(plain) == own);
#else
  assert(pthread_setspecific(plain, own) == 0 && pthread_getspecific(plain) == own);
#endif
  pthread_setspecific(counted, own);
  if (argument)
    pthread_exit(argument);
  return argument;
}

int main(void) {
  pthread_t thread;
  void *result;
#ifdef NEVER
  pthread_getspecific(3);
#endif
  assert(pthread_key_create(&counted, again) == 0);
#ifdef C11
  assert(tss_create(&plain, destroy) == thrd_success);
#else
  assert(pthread_key_create(&plain, destroy) == 0);
#endif
  assert(pthread_getspecific(counted) == NULL);
  for (int i = 0; i < 2; i++) {
    rounds = freed = 0;
    pthread_create(&thread, NULL, work, i ? &rounds : NULL);
    pthread_join(thread, &result);
    assert(result == (i ? &rounds : NULL));
    assert(rounds == 4 && freed == 5);
  }
  pthread_setspecific(counted, &freed);
  pthread_key_delete(plain);
#ifdef DELETED
  pthread_setspecific(plain, &freed);
#endif
  return 0;
}
