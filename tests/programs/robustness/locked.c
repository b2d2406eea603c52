// Dekker's flags, but every access is made under a lock, whose operations are full fences.
// check: --robustness sc=holds tso=holds pso=holds
// check: --robustness -DUNLOCKED tso=violated(not-robust) pso=violated(not-robust)

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x, y, seen[2];

#ifdef UNLOCKED
#define LOCKED(statement) statement
#else
#define LOCKED(statement) (pthread_mutex_lock(&mutex), (statement), pthread_mutex_unlock(&mutex))
#endif

static void *first(void *unused) {
  LOCKED(x = 1);
  LOCKED(seen[0] = y);
  return unused;
}

static void *second(void *unused) {
  LOCKED(y = 1);
  LOCKED(seen[1] = x);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
