/* Data choices for programs that rmc-check checks. Under rmc-check every value is tried; anywhere else one execution makes one choice.
 *
 * rmc-check finds this header by itself. Natively, compile with -I and the directory of this file; RMC_CHOICES="2,0,7" in the environment gives the first
 * choices (each taken modulo n), choices beyond these are random, from RMC_SEED if that is set. */
#ifndef RMC_H
#define RMC_H

#ifdef __cplusplus
extern "C" {
#define RMC_BOOL bool
#else
#define RMC_BOOL _Bool
#endif

#ifdef __RMC__

/* A value in 0 .. n - 1; n must not be 0. */
unsigned rmc_choose(unsigned n);

/* What follows is only of interest where `condition` holds: other executions are left out. */
void rmc_assume(RMC_BOOL condition);

#else

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Weak, so that several files may include the header; never inlined, so that bitcode made without rmc-check still shows the calls. */
#define RMC_NATIVE __attribute__((weak, noinline, unused))

/* The next number of RMC_CHOICES, or a random one. Choices of threads that race with each other may be the same. */
RMC_NATIVE unsigned rmc_choose(unsigned n) {
  static const char *rest;
  static unsigned long long state;
  char *end;
  if (n == 0) {
    fputs("rmc_choose(0): there is nothing to choose\n", stderr);
    abort();
  }
  if (state == 0) {
    const char *seed = getenv("RMC_SEED");
    rest = getenv("RMC_CHOICES");
    state = (seed ? strtoull(seed, NULL, 10) : (unsigned long long)time(NULL)) * 2 + 1;
  }
  if (rest && *rest) {
    unsigned long given = strtoul(rest, &end, 10);
    if (end != rest) {
      rest = *end == ',' ? end + 1 : end;
      return (unsigned)(given % n);
    }
  }
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)((state >> 33) % n);
}

/* An execution that is of no interest ends here. */
RMC_NATIVE void rmc_assume(RMC_BOOL condition) {
  if (!condition)
    exit(0);
}

#undef RMC_NATIVE
#endif

#undef RMC_BOOL
#ifdef __cplusplus
}
#endif
#endif
