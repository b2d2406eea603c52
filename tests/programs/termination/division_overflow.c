// check: sc=violated(division-overflow) tso=violated(division-overflow) pso=violated(division-overflow) states=sc:1,tso:1,pso:1
//
// The one quotient of signed integers that does not fit.
#include <limits.h>

static volatile int lowest = INT_MIN, minus_one = -1;

int main(void) { return lowest / minus_one != 0; }
