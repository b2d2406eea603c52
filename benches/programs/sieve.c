// Two threads sieve the same numbers up to N, without locks: both write the same values. After eratosthenes,
// whose numbers of reads-from classes are known (Bui et al., OOPSLA 2021): N = 13 has 535, 1,467 and 3,375
// under SC, TSO and PSO, N = 17 has 4,667, 29,217 and 253,125.
#include <pthread.h>

#ifndef N
#define N 13
#endif

static volatile int is_composite[N + 1];

static void *sieve(void *unused) {
  for (int number = 2; number <= N; number++)
    if (!is_composite[number])
      for (int multiple = 2 * number; multiple <= N; multiple += number)
        is_composite[multiple] = 1;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, sieve, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
