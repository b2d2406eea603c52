// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) states=sc:31,tso:31,pso:31
//
// One thread has ended and was not joined, main has left: the other two wait for each other.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_hold_one;

static void *ends(void *unused) { return unused; }

static void cross(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_barrier_wait(&both_hold_one);
  pthread_mutex_lock(second);
}

static void *one(void *unused) {
  cross(&left, &right);
  return unused;
}

static void *other(void *unused) {
  cross(&right, &left);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_barrier_init(&both_hold_one, NULL, 2);
  pthread_create(&threads[0], NULL, ends, NULL);
  pthread_create(&threads[1], NULL, one, NULL);
  pthread_create(&threads[2], NULL, other, NULL);
  pthread_exit(NULL);
}
