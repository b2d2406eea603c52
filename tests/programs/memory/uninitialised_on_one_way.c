// check: sc=holds tso=holds pso=holds
// check: -DBRANCH sc=violated(uninitialised-branch) at=23 tso=violated(uninitialised-branch) pso=violated(uninitialised-branch)
// check: -DDIVISOR sc=violated(division-by-zero) at=29
// check: -DPOINTER sc=violated(uninitialised-dereference) at=35
// check: -DLOOP sc=violated(uninitialised-branch) at=43
//
// A variable that is set on one way and not on the other has no value after the other, though a register could keep the one it has on the first.
#include <assert.h>

static volatile int zero, one = 1;
static int cell;

int main(void) {
#if !defined BRANCH && !defined DIVISOR && !defined POINTER && !defined LOOP
  int number;
  if (one)
    number = 1;
  assert(number);
#elif defined BRANCH
  int number;
  if (zero)
    number = 1;
  if (!number)
    return 1;
#elif defined DIVISOR
  int number;
  if (zero)
    number = 1;
  cell = 1 / number;
#elif defined POINTER
  int *pointer;
  while (zero)
    pointer = &cell;
  /* The loop was never entered. */
  *pointer = 1;
#elif defined LOOP
  int found;
  for (int at = 0; at < 3; at++) {
    if (at == 7 + zero)
      found = at;
  }
  /* Nothing was found. */
  assert(found >= 0);
#endif
  return 0;
}
