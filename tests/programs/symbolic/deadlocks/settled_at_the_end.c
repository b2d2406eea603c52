// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: --engine=symbolic sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock)
// check: -DROUND sc=holds tso=holds pso=holds
// check: --engine=symbolic -DROUND sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
//
// Three threads at a barrier for three or four. The first thread ends by itself, and its delayed stores
// arrive while the others wait for ever.
#include <pthread.h>

static pthread_barrier_t barrier;
static volatile int last;

static void *arrive(void *argument) {
  last = *(int *)argument;
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  static int numbers[3] = {1, 2, 3};
  pthread_t thread;
#ifdef ROUND
  pthread_barrier_init(&barrier, 0, 3);
#else
  pthread_barrier_init(&barrier, 0, 4);
#endif
  for (int i = 0; i < 3; i++)
    pthread_create(&thread, 0, arrive, &numbers[i]);
  last = 4;
  pthread_exit(0);
}
