// Two threads run `first` and `second` at the same time, ROUNDS times, on memory that starts as zero; the
// number of rounds with the outcome (r1, r2) that `is_relaxed` names is printed.
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 3000

static pthread_barrier_t gate;
static int r1, r2;

static void reset(void);
static void first(void);
static void second(void);
static int is_relaxed(void);

static void *second_thread(void *unused) {
  for (int round = 0; round < ROUNDS; round++) {
    pthread_barrier_wait(&gate);
    second();
    pthread_barrier_wait(&gate);
  }
  return unused;
}

int main(void) {
  int relaxed = 0;
  pthread_t thread;
  pthread_barrier_init(&gate, NULL, 2);
  pthread_create(&thread, NULL, second_thread, NULL);
  for (int round = 0; round < ROUNDS; round++) {
    reset();
    pthread_barrier_wait(&gate);
    first();
    pthread_barrier_wait(&gate);
    relaxed += is_relaxed();
  }
  pthread_join(thread, NULL);
  printf("%d\n", relaxed);
  return 0;
}
