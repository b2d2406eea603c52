// N dining philosophers who eat ROUNDS times; the last one takes the forks the other way round. Mutexes, almost no data.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t fork_of[N];
static int meals[N];

static void *dine(void *argument) {
  intptr_t me = (intptr_t)argument;
  int first = me == N - 1 ? 0 : (int)me;
  int second = me == N - 1 ? N - 1 : (int)me + 1;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_mutex_lock(&fork_of[first]);
    pthread_mutex_lock(&fork_of[second]);
    meals[me]++;
    pthread_mutex_unlock(&fork_of[second]);
    pthread_mutex_unlock(&fork_of[first]);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_of[i], 0);
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, dine, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
