// check: sc=holds tso=holds pso=holds
//
// Several threads create others, each if it sees what another one stored. A thread's number belongs to its
// creator, whichever of them is met first, also where several workers explore.
#include <pthread.h>
#include <stddef.h>

static volatile int x, y, z;

static void *store(void *cell) {
  *(volatile int *)cell += 1;
  return NULL;
}

static void *create_if(volatile int *seen, volatile int *stored) {
  pthread_t thread;
  *stored = 1;
  if (*seen == 0)
    return NULL;
  pthread_create(&thread, NULL, store, (void *)&z);
  if (z == 0)
    pthread_join(thread, NULL);
  return NULL;
}

static void *first(void *unused) { return create_if(&x, &y); }
static void *second(void *unused) { return create_if(&y, &x); }

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  if (z == 1)
    pthread_create(&threads[2], NULL, store, (void *)&x);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
