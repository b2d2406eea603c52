// check: sc=holds states=sc:1
// A function of the C library that calls back into the program: it is linked from the support library, because the program uses it.
#include <assert.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }

int main(void) {
  int numbers[5] = {1, 3, 5, 7, 9};
  int wanted = 7;
  assert(bsearch(&wanted, numbers, 5, sizeof(int), compare) == &numbers[3]);
  wanted = 4;
  assert(!bsearch(&wanted, numbers, 5, sizeof(int), compare));
  return 0;
}
