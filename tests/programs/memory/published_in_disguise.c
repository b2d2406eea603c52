// check: -DWAY=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWAY=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:23,tso:19,pso:19
// check: -DWAY=2 -DMANY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:23,tso:19,pso:19
// check: -DWAY=3 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:21,tso:19,pso:19
// check: -DWAY=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWAY=5 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWAY=6 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWAY=6 --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=6 --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=4 --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=1 --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=3 --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=5 --engine=reads-from sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DWAY=1 --reduce=all sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:15,tso:18,pso:18
//
// A thread gives the address of an object away in disguise, changes the object, and shows its address to
// all. The other thread may use the object before the change, although no pointer to it can be read yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char bytes[16];
static uint32_t halves[2];
static _Atomic uintptr_t number;
static atomic_int ready;
static _Atomic(atomic_int *) shown;

static void give(atomic_int *object) {
  uintptr_t address = (uintptr_t)object;
#if WAY == 1
  number = ~address;
#elif WAY == 2
  halves[0] = (uint32_t)address;
  halves[1] = (uint32_t)(address >> 32);
#elif WAY == 3
  memcpy(bytes + 3, &object, sizeof object);
#elif WAY == 4
  number = address << 16;
#elif WAY == 6
  atomic_fetch_add(&number, address);
#else
  number = address ^ (uintptr_t)&number;
#endif
  ready = 1;
}

static atomic_int *taken(void) {
  atomic_int *object;
#if WAY == 1
  object = (atomic_int *)~number;
#elif WAY == 2
  object = (atomic_int *)((uintptr_t)halves[0] | (uintptr_t)halves[1] << 32);
#elif WAY == 3
  memcpy(&object, bytes + 3, sizeof object);
#elif WAY == 4
  object = (atomic_int *)(number >> 16);
#elif WAY == 6
  object = (atomic_int *)number;
#else
  object = (atomic_int *)(number ^ (uintptr_t)&number);
#endif
  return object;
}

static void *giver(void *unused) {
#ifdef MANY
  // Few bits of the address of the 64th object are set.
  for (int i = 1; i < 64; i++) malloc(1);
#endif
  atomic_int *object = calloc(1, sizeof *object);
  give(object);
  *object = 9;
  shown = object;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, giver, NULL);
  if (ready) assert(*taken() == 9);
  pthread_join(thread, NULL);
  return 0;
}
