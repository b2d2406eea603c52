// One thread sends N numbers to another through a ring of 1,024 places.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

#define N 1000000
#define SIZE 1024

static unsigned ring[SIZE];
static atomic_uint head, tail;

static void *producer(void *unused) {
  for (unsigned i = 0; i < N; i++) {
    while (i - atomic_load_explicit(&head, memory_order_acquire) == SIZE) sched_yield();
    ring[i % SIZE] = i;
    atomic_store_explicit(&tail, i + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  unsigned long sum = 0;
  pthread_create(&thread, NULL, producer, NULL);
  for (unsigned i = 0; i < N; i++) {
    while (atomic_load_explicit(&tail, memory_order_acquire) == i) sched_yield();
    sum += ring[i % SIZE];
    atomic_store_explicit(&head, i + 1, memory_order_release);
  }
  pthread_join(thread, NULL);
  printf("%lu\n", sum);
  return sum != (unsigned long)N * (N - 1) / 2;
}
