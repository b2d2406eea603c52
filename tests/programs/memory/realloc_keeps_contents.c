// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// calloc clears, realloc keeps what fits, realloc of null allocates, a block of no bytes can be freed.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *numbers = calloc(2, sizeof *numbers);
  assert(numbers[0] == 0 && numbers[1] == 0);
  numbers[1] = 7;
  numbers = realloc(numbers, 5 * sizeof *numbers);
  assert(numbers[0] == 0 && numbers[1] == 7);
  numbers[4] = 9;
  numbers = realloc(numbers, sizeof *numbers);
  assert(numbers[0] == 0);
  free(numbers);

  int *fresh = realloc(NULL, sizeof *fresh);
  *fresh = 1;
  free(fresh);
  free(malloc(0));
  return 0;
}
