// check: sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=10 related=none states=sc:1,tso:1,pso:1
// optimised: differs undefined behaviour, an access that is known to miss its object is removed
//
// An index past the end of a global array, with another global next to it in memory.
static int table[4];
static int neighbour;

int main(void) {
  int index = 4;
  table[index] = 1;
  return neighbour;
}
