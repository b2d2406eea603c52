// check: tso=holds pso=holds states=tso:1,pso:1
//
// setjmp and longjmp: values, several targets, over frames in between, from a callback of the library, in a loop.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf outer, inner;

static int deep(int n) {
  int local[4] = {n, n + 1, n + 2, n + 3};
  if (n == 0)
    longjmp(outer, 7);
  return deep(n - 1) + local[n & 3];
}

static void values(void) {
  volatile int count = 0;
  int before = 42;
  switch (setjmp(outer)) {
  case 0:
    printf("first, %d\n", before);
    deep(5);
    break;
  case 7:
    printf("from below, %d\n", before);
    count++;
    longjmp(outer, 0);
  case 1:
    printf("zero becomes one, %d, %d\n", count, before);
    break;
  default:
    abort();
  }
}

static int raises(const void *a, const void *b) {
  (void)a;
  (void)b;
  longjmp(inner, 3);
}

static int retry(void) {
  volatile int attempts = 0;
  sigjmp_buf again;
  sigsetjmp(again, 1);
  if (++attempts < 4)
    siglongjmp(again, attempts);
  return attempts;
}

static int expression(int n) {
  jmp_buf here;
  if (_setjmp(here) != 0)
    return n * 2;
  if (n > 3)
    _longjmp(here, 5);
  return n;
}

int main(void) {
  values();
  int numbers[] = {5, 2, 3, 1};
  if (setjmp(inner) != 3)
    qsort(numbers, 4, sizeof *numbers, raises);
  else
    puts("out of qsort");
  printf("%d\n", retry());
  for (int n = 2; n < 6; n++)
    printf("%d ", expression(n));
  putchar('\n');
  return 0;
}
