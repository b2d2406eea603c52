// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:43,tso:27,pso:27
// check: --engine=symbolic --rounds=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic --rounds=2 -DKEY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic --rounds=2 -DKEY -DCOPIED sc=violated(assertion) tso=violated(assertion)
// check: --engine=symbolic --rounds=2 -DKEY -DFREED sc=violated(use-after-free) tso=violated(use-after-free)
// check: --engine=symbolic --rounds=2 -DORDERED sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds)
// check: --engine=symbolic --rounds=2 -DKEY -DORDERED sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds)
// check: --engine=symbolic --rounds=2 -DKEY -DODD sc=refused(computed) tso=refused(computed)
// check: --engine=symbolic --rounds=2 -DKEY -DLOCKED sc=refused(computed) tso=refused(computed)
//
// A thread gives the address of an object away byte by byte, or added to an input bit by bit, and another one
// puts it together again: no number of the program shows that it is an address.
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct object {
  int before;
  atomic_int number;
  pthread_mutex_t lock;
};

static char bytes[8];
static uintptr_t hidden, key;
static atomic_int ready;
static int other;

static void give(struct object *object) {
#ifdef KEY
  hidden = ~(uintptr_t)object ^ key;
#else
  for (int i = 0; i < 8; i++) bytes[i] = ((char *)&object)[i];
#endif
  ready = 1;
}

static struct object *taken(void) {
#ifdef KEY
  return (struct object *)~(hidden ^ key);
#else
  struct object *object;
  for (int i = 0; i < 8; i++) ((char *)&object)[i] = bytes[i];
  return object;
#endif
}

static void *giver(void *unused) {
  struct object *object = calloc(1, sizeof *object);
#ifdef ORDERED
  object->number = 9;
#endif
  give(object);
  object->number = 9;
#ifdef FREED
  free(object);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef KEY
  key = (uintptr_t)rmc_int(0, 1 << 30);
#endif
  pthread_create(&thread, NULL, giver, NULL);
  if (ready) {
    struct object *object = taken();
#if defined ODD
    int number;
    memcpy(&number, (char *)&object->number - 1, sizeof number);
    assert(number == 9 << 8);
#elif defined LOCKED
    pthread_mutex_lock(&object->lock);
#elif defined COPIED
    memcpy(&other, &object->number, sizeof other);
    assert(other == 9);
#elif defined FREED
    other = object->number;
#else
    assert(object->number == 9);
#endif
  }
  pthread_join(thread, NULL);
  return 0;
}
