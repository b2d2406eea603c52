// check: sc=violated(uninitialised-branch) tso=violated(uninitialised-branch) pso=violated(uninitialised-branch) at=37 related=35 states=sc:1,tso:1,pso:1
// check: -DHEAP sc=violated(uninitialised-branch) tso=violated(uninitialised-branch) pso=violated(uninitialised-branch) at=19 related=18 states=sc:1,tso:1,pso:1
// check: -DSWITCH sc=violated(uninitialised-branch) tso=violated(uninitialised-branch) pso=violated(uninitialised-branch) at=24 related=22 states=sc:1,tso:1,pso:1
// check: -DCOPY_ONLY sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, a branch on a value that is known to be undefined may go either way
//
// A decision rests on memory that was never written. Copying such memory decides nothing.
#include <stdlib.h>

struct record {
  int set;
  int unset;
};

int main(void) {
  int result = 0;
#if defined HEAP
  int *block = malloc(sizeof *block);
  if (*block)
    result = 1;
#elif defined SWITCH
  struct record record;
  record.set = 1;
  switch (record.unset + record.set) {
  case 1:
    result = 1;
  }
#elif defined COPY_ONLY
  struct record record, copy;
  record.set = 1;
  copy = record;
  if (copy.set != 1)
    abort();
#else
  int array[2];
  array[0] = 1;
  if (array[1] > 0)
    result = 1;
#endif
  return result;
}
