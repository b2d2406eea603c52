// Four threads multiply two shared matrices, a band of rows each.
#include <pthread.h>
#include <stdio.h>

#define N 160

static double a[N][N], b[N][N], c[N][N];

static void *band(void *number) {
  long first = (long)number * N / 4;
  for (long i = first; i < first + N / 4; i++)
    for (long j = 0; j < N; j++) {
      double sum = 0;
      for (long k = 0; k < N; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i, b[i][j] = j;
  for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, band, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  printf("%g\n", c[N - 1][N - 1]);
  return c[N - 1][N - 1] != (double)N * (N - 1) * (N - 1);
}
