/* Data choices for programs that rmc-check checks. Under rmc-check every value is tried; anywhere else one
 * execution makes one choice.
 *
 * rmc-check finds this header by itself. Natively, compile with -I and the directory of this file;
 * RMC_CHOICES="2,0,7" in the environment gives the first choices (each taken modulo the number of values, counted
 * from the least), choices beyond these are random, from RMC_SEED if that is set. */
#ifndef RMC_H
#define RMC_H

#ifdef __cplusplus
extern "C" {
#define RMC_BOOL bool
#else
#define RMC_BOOL _Bool
#endif

#ifdef __RMC__

/* A value in 0 .. n - 1; n must not be 0. Up to 65,536 values are tried one by one. If n is greater, it must be
 * a constant, and they are told apart where the program does, as with rmc_int. */
unsigned rmc_choose(unsigned n);

/* A value in least .. most, of however many: they are told apart where the program does. */
long rmc_int(long least, long most);

/* Any content of `size` bytes. */
void rmc_bytes(void *place, unsigned long size);

/* What follows is only of interest where `condition` holds: other executions are left out. */
void rmc_assume(RMC_BOOL condition);

#else

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Weak, so that several files may include the header; never inlined, so that bitcode made without rmc-check still shows the calls. */
#define RMC_NATIVE __attribute__((weak, noinline, unused))

/* The next number of RMC_CHOICES, or a random one, below n; any if n is 0. Choices of threads that race with each
 * other may be the same. */
RMC_NATIVE unsigned long rmc_native_choice(unsigned long n) {
  static const char *rest;
  static unsigned long long state;
  char *end;
  if (state == 0) {
    const char *seed = getenv("RMC_SEED");
    rest = getenv("RMC_CHOICES");
    state = (seed ? strtoull(seed, NULL, 10) : (unsigned long long)time(NULL)) * 2 + 1;
  }
  if (rest && *rest) {
    unsigned long given = strtoul(rest, &end, 10);
    if (end != rest) {
      rest = *end == ',' ? end + 1 : end;
      return n ? given % n : given;
    }
  }
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  unsigned long random = (unsigned long)(state >> 33);
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  random = random << 31 ^ (unsigned long)(state >> 33);
  return n ? random % n : random;
}

RMC_NATIVE unsigned rmc_choose(unsigned n) {
  if (n == 0) {
    fputs("rmc_choose(0): there is nothing to choose\n", stderr);
    abort();
  }
  return (unsigned)rmc_native_choice(n);
}

RMC_NATIVE long rmc_int(long least, long most) {
  if (least > most) {
    fprintf(stderr, "rmc_int(%ld, %ld): there is nothing to choose\n", least, most);
    abort();
  }
  /* 0 values stand for all of them. */
  return (long)((unsigned long)least + rmc_native_choice((unsigned long)most - (unsigned long)least + 1));
}

RMC_NATIVE void rmc_bytes(void *place, unsigned long size) {
  for (unsigned long at = 0; at < size; at++)
    ((unsigned char *)place)[at] = (unsigned char)rmc_int(0, 255);
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
