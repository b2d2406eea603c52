// check: sc=holds tso=holds pso=holds states=sc:38,tso:29,pso:29
// check: -DBOTH_GET_IT sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=26 related=none states=sc:33,tso:27,pso:27
//
// Who does not get the mutex goes away. Either may fail, hence it is wrong to count on both.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *attempt(void *unused) {
  if (pthread_mutex_trylock(&mutex) == 0) {
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, attempt, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
#ifdef BOTH_GET_IT
  assert(counter == 2);
#else
  assert(counter == 1 || counter == 2);
#endif
  return 0;
}
