// check: sc=refused(fopen) tso=refused(fopen) pso=refused(fopen)
//
// A library function without a model is named, never guessed.
#include <stdio.h>

int main(void) {
  FILE *file = fopen("/dev/null", "r");
  return file == NULL;
}
