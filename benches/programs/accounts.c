// N threads each move money between two of N accounts, ROUNDS times, with a lock for each account, taken in order. No money is lost.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t locks[N];
static int balance[N];

static void move(int from, int to, int amount) {
  int first = from < to ? from : to, second = from < to ? to : from;
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[second]);
  balance[from] -= amount;
  balance[to] += amount;
  pthread_mutex_unlock(&locks[second]);
  pthread_mutex_unlock(&locks[first]);
}

static void *trade(void *argument) {
  int me = (int)(intptr_t)argument;
  for (int round = 0; round < ROUNDS; round++)
    move(me, (me + 1 + round) % N == me ? (me + 1) % N : (me + 1 + round) % N, me + 1);
  return argument;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&locks[i], 0);
  for (intptr_t i = 0; i < N; i++)
    pthread_create(&threads[i], 0, trade, (void *)i);
  int sum = 0;
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  for (int i = 0; i < N; i++)
    sum += balance[i];
  assert(sum == 0);
  return 0;
}
