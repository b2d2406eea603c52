// Threads share memory with a signal handler, which often interrupts an access of its thread. Prints "none is
// lost" if every atomic update of both took place.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

#define THREADS 3
#ifndef ROUNDS
#define ROUNDS 100000
#endif

static atomic_long updates, ticks;
static long data[64];

static void tick(int signal) {
  long now = atomic_fetch_add(&ticks, 1);
  ((volatile long *)data)[now % 64] += signal;
  atomic_fetch_add(&updates, 1);
}

static void *work(void *argument) {
  for (int i = 0; i < ROUNDS; i++) {
    ((volatile long *)data)[i % 64] = i;
    atomic_fetch_add(&updates, 1);
  }
  return argument;
}

int main(void) {
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
  pthread_t threads[THREADS];
  sigaction(SIGALRM, &action, 0);
  setitimer(ITIMER_REAL, &often, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  setitimer(ITIMER_REAL, &never, 0);
  puts(updates == THREADS * ROUNDS + ticks && ticks > 0 ? "none is lost" : "some are lost");
}
