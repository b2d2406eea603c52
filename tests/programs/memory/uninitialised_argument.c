// check: sc=violated(uninitialised-argument) tso=violated(uninitialised-argument) pso=violated(uninitialised-argument) at=13 related=12 states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, and allocation that nobody uses is removed
//
// The size of an allocation was never set.
#include <stdlib.h>

struct request {
  size_t size;
};

int main(void) {
  struct request *request = malloc(sizeof *request);
  free(malloc(request->size));
  free(request);
  return 0;
}
