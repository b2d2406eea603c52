// A thread writes a variable ROUNDS times, another reads it as often. What it sees never goes back, so there
// are as many reads-from classes as sequences of ROUNDS numbers from 0 to ROUNDS that do not fall: 2 ROUNDS
// over ROUNDS, under every model.
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 4
#endif

static atomic_int shared;

static void *write_all(void *unused) {
  for (int i = 1; i <= ROUNDS; i++)
    atomic_store_explicit(&shared, i, memory_order_relaxed);
  return unused;
}

static void *read_all(void *unused) {
  for (int i = 0; i < ROUNDS; i++)
    (void)atomic_load_explicit(&shared, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write_all, 0);
  pthread_create(&reader, 0, read_all, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
}
