// 900 threads, up to 300 at a time, that use a lock, memory that is freed and allocated again, and a counter.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 300

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, *shared;
static atomic_int updates;

static void *work(void *unused) {
  int *own = malloc(64);
  for (int i = 0; i < 10; i++) {
    own[i] = i;
    pthread_mutex_lock(&lock);
    count++;
    free(shared);
    shared = malloc(64);
    shared = realloc(shared, 128 + count);
    shared[3] = count + own[i];
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&updates, 1);
  }
  free(own);
  return unused;
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  }
  printf("%d %d\n", count, updates);
  return count != 9000 || updates != 9000;
}
