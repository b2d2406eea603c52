// check: sc=violated(invalid-argument) states=sc:1
//
// There is no value below 0.
#include <rmc.h>

int main(void) { return (int)rmc_choose(0); }
