// check: sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=31 states=sc:20,tso:16,pso:16
// check: -DALONE sc=violated(use-after-free) tso=violated(use-after-free) pso=violated(use-after-free) at=22 states=sc:3,tso:3,pso:3
// check: -DVARIABLE sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) at=31 states=sc:14,tso:12,pso:12
// check: -DVARIABLE -DSCOPE -O1 sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) at=31 states=sc:14,tso:12,pso:12
// check: -DWAITS sc=holds tso=holds pso=holds states=sc:53,tso:40,pso:40
// check: -DVARIABLE -DWAITS sc=holds tso=holds pso=holds states=sc:44,tso:44,pso:44
//
// A thread that has a pointer to memory that has ended is told to go on, and new memory gets the place at
// once. The thread may use the pointer in between. With ALONE, the memory ended before there was a second
// thread.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static long *volatile shared;
static atomic_int told;
static pthread_t thread;
static volatile long seen;

static void *reads(void *unused) {
#ifdef ALONE
  seen = *shared;
#elif defined(WAITS)
  long *mine = shared;
  while (!atomic_load(&told))
    ;
  if (mine != shared)
    seen = 1;
#else
  if (atomic_load(&told))
    seen = *shared;
#endif
  return unused;
}

#ifdef SCOPE
#define OUT_OF_LINE static inline
#else
#define OUT_OF_LINE static __attribute__((noinline))
#endif

OUT_OF_LINE void end_one(void) {
#ifdef VARIABLE
  volatile long own = 5;
  shared = (long *)&own;
#else
  shared = malloc(sizeof *shared);
  *shared = 5;
  free(shared);
#endif
}

OUT_OF_LINE void begin_another(void) {
#ifdef VARIABLE
  volatile long own = 7;
  own++;
  shared = (long *)&own;
#else
  volatile long *new = malloc(sizeof *new);
  *new = 7;
#endif
  pthread_join(thread, 0);
}

int main(void) {
#ifdef ALONE
  end_one();
#endif
  pthread_create(&thread, 0, reads, 0);
#ifndef ALONE
  end_one();
#endif
  atomic_store(&told, 1);
  begin_another();
  return 0;
}
