// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
//
// What differs between runs natively is the same in each here: random numbers, the environment.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int first = rand(), second = rand();
  assert(first >= 0 && first != second);
  srand(1);
  assert(rand() == first && rand() == second);
  unsigned seed = 7, same = 7;
  assert(rand_r(&seed) == rand_r(&same) && rand_r(&seed) == rand_r(&same));
  assert(!getenv("PATH"));
  return 0;
}
