// Threads share memory with a signal handler, which often interrupts an access of its thread. Prints "none is
// lost" if every atomic update of both took place.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

#define THREADS 3
#define ROUNDS 100000

static atomic_long updates, ticks;
static long data[64];

/* The next signal comes some time after the handler of this one: it may not be faster than signals come. */
static void wait_for_tick(void) {
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 200}}, 0);
}

static void tick(int signal) {
  long now = atomic_fetch_add(&ticks, 1);
  ((volatile long *)data)[now % 64] += signal;
  atomic_fetch_add(&updates, 1);
  wait_for_tick();
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
  pthread_t threads[THREADS];
  sigaction(SIGALRM, &action, 0);
  wait_for_tick();
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, 0);
  puts(updates == THREADS * ROUNDS + ticks && ticks > 0 ? "none is lost" : "some are lost");
}
