// check: --svcomp sc=holds tso=holds states=sc:1,tso:1
// check: --svcomp --engine=dpor sc=holds tso=holds
// check: --svcomp -DFAR=1 sc=violated(out-of-bounds) states=sc:1
// check: --svcomp -DFAR=1 --engine=dpor sc=violated(out-of-bounds)
// check: --svcomp -DSTRING=9 sc=violated(out-of-bounds) states=sc:1
// check: --svcomp -DSTRING=9 --engine=dpor sc=violated(out-of-bounds)
// check: --svcomp -DLARGE sc=unknown(allocation-limit)
// check: --svcomp -DLARGE --engine=dpor sc=unknown(allocation-limit)
// check: --svcomp -DFAILS sc=violated(null-dereference) states=sc:1
//
// Functions that copy work on memory of a size that is an input, and realloc makes it larger or smaller.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

#ifndef FAR
#define FAR 0
#endif
#ifndef STRING
#define STRING 8
#endif

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
#ifdef LARGE
  if (n < 8)
    return 0;
#elif defined(FAILS)
  char *fails = malloc((int)n < 0 ? (size_t)(int)n : 1);
  *fails = 1;
  return 0;
#else
  if (n < 8 || n > 10000 || m < 4 || m > 20000)
    return 0;
#endif
#if STRING > 8
  char *text = calloc(n, 1);
#else
  char *text = malloc(n);
#endif
  memset(text, 'x', 8 + FAR);
  if (STRING == 8)
    text[7] = 0;
  if (strlen(text) > 7)
    return 0;
  char *copy = calloc(n, 2);
  memcpy(copy + 8, text, 8);
  assert(copy[8] == 'x' && copy[15] == 0 && copy[3] == 0);
  assert(memcmp(copy + 8, text, 8) == 0);
  free(copy);
#ifndef LARGE
  if (m >= 8) {
    text = realloc(text, m);
    assert(text[0] == 'x' && text[7] == 0);
  }
#endif
  text = realloc(text, 3);
  assert(text[2] == 'x');
  free(text);
  return 0;
}
