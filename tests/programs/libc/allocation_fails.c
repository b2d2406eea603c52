// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: --malloc-may-fail sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) at=32 states=sc:9,tso:9,pso:9
// check: --malloc-may-fail -DCHECKED sc=holds tso=holds pso=holds states=sc:7,tso:7,pso:7
//
// Every allocation may fail, and errno says why.
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void all(void) {
  errno = 0;
  int *numbers = calloc(4, sizeof *numbers);
  assert(numbers ? numbers[3] == 0 : errno == ENOMEM);
  int *more = realloc(numbers, 8 * sizeof *numbers);
  if (!more)
    free(numbers);
  free(more);
  char *copy = strdup("text");
  assert(copy ? strcmp(copy, "text") == 0 : errno == ENOMEM);
  free(copy);
  void *aligned = NULL;
  int error = posix_memalign(&aligned, 16, 16);
  assert(error == 0 || (error == ENOMEM && !aligned));
  free(aligned);
}

int main(void) {
  all();
#ifndef CHECKED
  char *text = malloc(3);
  text[0] = 'x';
  free(text);
#endif
  return 0;
}
