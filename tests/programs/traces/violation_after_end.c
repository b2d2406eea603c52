// check: --keep-going sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free)
//
// A thread that was detached takes a lock, and then writes to memory that is gone if the first thread freed it.
// Whether that was before or after the lock was taken, the process may have ended in between.
#include <pthread.h>
#include <stdlib.h>

static int began;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writes(void *cell) {
  began = 1;
  pthread_rwlock_rdlock(&lock);
  *(char *)cell = 1;
  return NULL;
}

static void *tries(void *unused) {
  if (pthread_rwlock_tryrdlock(&lock) == 0)
    pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t writer, other;
  char *cell = malloc(1);
  pthread_create(&writer, NULL, writes, cell);
  pthread_create(&other, NULL, tries, NULL);
  pthread_join(other, NULL);
  pthread_detach(writer);
  free(cell);
}
