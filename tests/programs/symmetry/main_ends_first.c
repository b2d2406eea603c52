// check: --reduce=all,symmetry sc=holds tso=holds pso=holds
// check: -DJOINED --reduce=all,symmetry sc=holds tso=holds pso=holds
// check: -DFAILS --reduce=all,symmetry sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DSTARTS --reduce=all,symmetry sc=holds tso=holds pso=holds
//
// `main` ends by pthread_exit while threads are alike, joined or not; another thread may have its number then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ended;

void *count(void *unused) {
  int before = atomic_fetch_add(&ended, 1);
#ifdef FAILS
  assert(before == 0);
#else
  assert(before < 4);
#endif
  return unused;
}

void *start(void *unused) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return unused;
}

int main(void) {
  pthread_t threads[2];
#ifdef STARTS
  pthread_create(&threads[0], NULL, start, NULL);
  pthread_create(&threads[1], NULL, start, NULL);
#else
  pthread_create(&threads[0], NULL, count, NULL);
  pthread_create(&threads[1], NULL, count, NULL);
#endif
#ifdef JOINED
  pthread_join(threads[0], NULL);
#endif
  pthread_exit(NULL);
}
