// check: --svcomp sc=unknown(nondet)
// check: --svcomp --engine=dpor sc=unknown(nondet)
//
// optimised: differs the memory is not looked at, so there is none
//
// A length with too many values is refused where it is needed.
#include <stdlib.h>
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n == 0 || n > 100000)
    return 0;
  char *a = malloc(n);
  memset(a, 1, n);
  free(a);
  return 0;
}
