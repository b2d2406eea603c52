// check: --keep-going --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=92 states=sc:11,tso:10,pso:10
// check: --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --no-local-memory sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:23,tso:19,pso:19
// check: -DOTHER_SIZE --cross-check sc=holds tso=holds pso=holds states=sc:10,tso:10,pso:10
// check: -DOTHER_SIZE -DTWICE --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:11,pso:11
// check: -DREALLOC --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:12,tso:11,pso:11
// check: -DALIGNED --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:11,tso:10,pso:10
// check: -DMAKER --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:15,tso:13,pso:13
// check: -DENDS --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:8,tso:8,pso:8
// check: -DSECTION --svcomp --cross-check sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:8,tso:8,pso:8
// check: -DUNTOLD --cross-check sc=holds tso=holds pso=holds states=sc:7,tso:7,pso:7
//
// A thread frees memory that another one allocated, and allocates memory of the same size itself: it may get
// the same address (ABA). That is tried only where the program may tell the addresses apart: not if it
// compares them with null only (UNTOLD). The other thread may get it, if it is the next to allocate (MAKER),
// or once the first one has ended (ENDS). Memory of another size has another address (OTHER_SIZE), and leaves
// the address to what comes later (TWICE).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

struct config {
  long version;
};

static _Atomic(struct config *) current;

static struct config *make(int version) {
  struct config *config;
#ifdef ALIGNED
  if (posix_memalign((void **)&config, 8, sizeof *config))
    abort();
#else
  config = malloc(sizeof *config);
#endif
  config->version = version;
  return config;
}

static void *replace(void *unused) {
  struct config *old = atomic_exchange(&current, NULL);
#ifdef SECTION
  __VERIFIER_atomic_begin();
#endif
#ifdef REALLOC
  free(realloc(old, 100));
#else
  free(old);
#endif
#ifdef OTHER_SIZE
  char *other = malloc(100);
#if defined(TWICE)
  atomic_store(&current, make(2));
#else
  atomic_store(&current, (struct config *)other);
#endif
#elif !defined(MAKER) && !defined(ENDS)
  atomic_store(&current, make(2));
#endif
#ifdef SECTION
  __VERIFIER_atomic_end();
#endif
#ifdef ENDS
  free(malloc(100));
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  struct config *seen = make(1);
  atomic_store(&current, seen);
  pthread_create(&thread, NULL, replace, NULL);
#if defined(MAKER) && !defined(ENDS)
  struct config *new = make(2);
#endif
  pthread_join(thread, NULL);
#if defined(ENDS)
  struct config *new = make(2);
#endif
#if defined(MAKER) || defined(ENDS)
  atomic_store(&current, new);
#endif
#ifdef UNTOLD
  assert(atomic_load(&current));
#else
  assert((uintptr_t)atomic_load(&current) != (uintptr_t)seen);
#endif
}
