// A stack of the indices of an array, without locks, after the SafeStack of D. Vyukov (2010), which is known
// for a bug that testing does not find: three threads, two turns of each and many changes of the thread are
// needed until two threads hold the same index. It is there under SC.
//
// Each thread takes an index, writes its number to the array there, reads it again, and puts the index back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef TURNS
#define TURNS 2
#endif

enum { SIZE = 3, NOBODY = -1 };

static atomic_int owner[SIZE];
static atomic_int below[SIZE] = {1, 2, NOBODY};
static atomic_int top = 0, count = SIZE;

// An index, or -1 if only one is left. While an index is being taken, nothing seems to be below it.
static int take(void) {
  while (count > 1) {
    int first = top;
    int second = atomic_exchange(&below[first], NOBODY);
    if (second == NOBODY)
      continue;
    int expected = first;
    if (atomic_compare_exchange_strong(&top, &expected, second)) {
      count--;
      return first;
    }
    atomic_exchange(&below[first], second);
  }
  return NOBODY;
}

static void give_back(int index) {
  int first = top;
  do
    below[index] = first;
  while (!atomic_compare_exchange_strong(&top, &first, index));
  count++;
}

static void *work(void *argument) {
  int number = (int)(long)argument;
  for (int turn = 0; turn < TURNS; turn++) {
    int index;
    do
      index = take();
    while (index == NOBODY);
    atomic_store_explicit(&owner[index], number, memory_order_relaxed);
    assert(atomic_load_explicit(&owner[index], memory_order_relaxed) == number);
    give_back(index);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (long number = 0; number < N; number++)
    pthread_create(&threads[number], 0, work, (void *)number);
  for (int number = 0; number < N; number++)
    pthread_join(threads[number], 0);
  return 0;
}
