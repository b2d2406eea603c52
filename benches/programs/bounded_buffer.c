// Producers and consumers share a buffer of SIZE places behind a mutex and two condition variables. Each item arrives once.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef SIZE
#define SIZE 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], used, first, sum;

static void *produce(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (used == SIZE)
      pthread_cond_wait(&not_full, &lock);
    buffer[(first + used) % SIZE] = i;
    used++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (used == 0)
      pthread_cond_wait(&not_empty, &lock);
    sum += buffer[first];
    first = (first + 1) % SIZE;
    used--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t producers[N], consumers[N];
  for (int i = 0; i < N; i++) {
    pthread_create(&producers[i], 0, produce, 0);
    pthread_create(&consumers[i], 0, consume, 0);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(producers[i], 0);
    pthread_join(consumers[i], 0);
  }
  assert(sum == N * ITEMS * (ITEMS + 1) / 2 && used == 0);
  return 0;
}
