// check: sc=refused(popen) tso=refused(popen) pso=refused(popen)
//
// A library function without a model is named, never guessed.
#include <stdio.h>

int main(void) {
  FILE *file = popen("true", "r");
  return file == NULL;
}
