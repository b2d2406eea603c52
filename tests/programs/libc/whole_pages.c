// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DBEYOND=some[10] sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=25 states=sc:1,tso:1,pso:1
// check: -DBEYOND=whole[8192] sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) at=25 states=sc:1,tso:1,pso:1
// check: -DLEAKED --leaks sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=15 states=sc:1,tso:1,pso:1
//
// Memory that begins at a page: valloc gives as much as it is asked for, pvalloc whole pages.
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

#define PAGE 4096

int main(void) {
  char *some = valloc(10), *whole = pvalloc(PAGE + 1);
  assert(some && (uintptr_t)some % PAGE == 0);
  assert(whole && (uintptr_t)whole % PAGE == 0);
  some[9] = 1;
  whole[2 * PAGE - 1] = 2;
  errno = 0;
  volatile size_t most = SIZE_MAX;
  assert(!pvalloc(most) && errno == ENOMEM);
#ifdef BEYOND
  BEYOND = 1;
#endif
#ifndef LEAKED
  free(some);
#endif
  free(whole);
}
