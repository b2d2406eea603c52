/*
 * stdlib.h: searching and sorting, arithmetic, random numbers, the environment.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  const char *low = base;
  while (count > 0) {
    const char *middle = low + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0)
      return (void *)middle;
    if (order > 0) {
      low = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}

/* Binary insertion: few comparisons, no memory but for one element. Equal elements keep their order, which C leaves open. */
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
  char *first = base;
  if (size == 0 || count < 2)
    return;
  char held[size];
  for (size_t at = 1; at < count; at++) {
    char *element = first + at * size;
    size_t low = 0;
    for (size_t high = at; low < high;) {
      size_t middle = low + (high - low) / 2;
      if (compare(element, first + middle * size, argument) < 0)
        high = middle;
      else
        low = middle + 1;
    }
    if (low == at)
      continue;
    memcpy(held, element, size);
    memmove(first + (low + 1) * size, first + low * size, (at - low) * size);
    memcpy(first + low * size, held, size);
  }
}

static int support_plain_order(const void *left, const void *right, void *compare) {
  return (*(int (**)(const void *, const void *))compare)(left, right);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  qsort_r(base, count, size, support_plain_order, &compare);
}

#undef abs
#undef labs
#undef llabs

int abs(int number) {
  return number < 0 ? -number : number;
}

long labs(long number) {
  return number < 0 ? -number : number;
}

long long llabs(long long number) {
  return number < 0 ? -number : number;
}

intmax_t imaxabs(intmax_t number) {
  return number < 0 ? -number : number;
}

div_t div(int number, int divisor) {
  return (div_t){number / divisor, number % divisor};
}

ldiv_t ldiv(long number, long divisor) {
  return (ldiv_t){number / divisor, number % divisor};
}

lldiv_t lldiv(long long number, long long divisor) {
  return (lldiv_t){number / divisor, number % divisor};
}

imaxdiv_t imaxdiv(intmax_t number, intmax_t divisor) {
  return (imaxdiv_t){number / divisor, number % divisor};
}

/*
 * Random numbers: the generator SplitMix64 (Guy L. Steele Jr., Doug Lea, Christine H. Flood, Fast Splittable
 * Pseudorandom Number Generators, OOPSLA 2014), since one atomic addition advances it: threads may share it.
 * The sequence is the same in every run and another one than glibc's.
 */
static unsigned long __rmc_random_state = 1;

static long support_mixed(unsigned long z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return (long)((z ^ z >> 31) & RAND_MAX);
}

#define STEP 0x9E3779B97F4A7C15

long random(void) {
  return support_mixed(__atomic_add_fetch(&__rmc_random_state, STEP, __ATOMIC_RELAXED));
}

void srandom(unsigned seed) {
  __atomic_store_n(&__rmc_random_state, seed, __ATOMIC_RELAXED);
}

int rand(void) {
  return (int)random();
}

void srand(unsigned seed) {
  srandom(seed);
}

int rand_r(unsigned *seed) {
  *seed += (unsigned)STEP;
  return (int)support_mixed(*seed * STEP);
}

void *reallocarray(void *memory, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(memory, bytes);
}

/* The environment is empty. */
char *getenv(const char *name) {
  (void)name;
  return NULL;
}

char *secure_getenv(const char *name) {
  return getenv(name);
}

/* Modelled: the number of processors, 0 if the user did not say one. */
long __rmc_processors(void);

static long support_processors(const char *unsaid) {
  long count = __rmc_processors();
  if (count == 0)
    __rmc_unsupported(unsaid);
  return count;
}

long sysconf(int name) {
  switch (name) {
  case _SC_PAGESIZE:
    return 4096;
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN:
    return support_processors("the number of processors without --processors N");
  default:
    __rmc_unsupported("`sysconf` of something else than the size of a page or the number of processors");
  }
}

int get_nprocs(void) {
  return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

int get_nprocs_conf(void) {
  return get_nprocs();
}

/* A thread may run on all processors, whatever was asked for: they are all alike. */
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  long count = support_processors("the processors of a thread without --processors N");
  if ((long)size * 8 < count)
    return EINVAL;
  memset(set, 0, size);
  for (long at = 0; at < count; at++)
    CPU_SET_S((size_t)at, size, set);
  return 0;
}

/* CPU_COUNT. */
int __sched_cpucount(size_t size, const cpu_set_t *set) {
  const unsigned char *bytes = (const unsigned char *)set;
  int count = 0;
  for (size_t at = 0; at < size; at++)
    count += __builtin_popcount(bytes[at]);
  return count;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  (void)process;
  return with_errno(pthread_getaffinity_np(pthread_self(), size, set));
}
