// check: -DFIRST=0 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:16,pso:16
// check: -DFIRST=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:16,pso:16
// check: -DFLAG sc=holds tso=holds pso=violated(assertion) states=sc:13,tso:15,pso:13
// check: -DFLAG -DRELEASE sc=holds tso=holds pso=holds states=sc:13,tso:15,pso:15
// check: --engine=dpor -DFIRST=0 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor -DFIRST=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor -DFLAG sc=holds tso=holds pso=violated(assertion)
// check: --engine=dpor -DFLAG -DRELEASE sc=holds tso=holds pso=holds
//
// The lanes of a masked store reach memory in any order, under every model; a store behind it follows them
// all where the model keeps the order of stores. Bytes of lanes that are off are never written: the other
// thread's store between them is not lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIRST
#define FIRST 0
#endif

typedef int v4 __attribute__((vector_size(16)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));

void store4(v4, void *, int, mask4) __asm__("llvm.masked.store.v4i32.p0");

static atomic_int lanes[4];
static atomic_int flag;

static void *writer(void *unused) {
  volatile _Bool on = 1;
  mask4 mask = {on, !on, on, !on};
  store4((v4){1, 1, 1, 1}, lanes, 4, mask);
#ifdef RELEASE
  atomic_store_explicit(&flag, 1, memory_order_release);
#else
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  atomic_store(&lanes[1], 5);
#ifdef FLAG
  if (atomic_load(&flag))
    assert(atomic_load(&lanes[0]) == 1 && atomic_load(&lanes[2]) == 1);
#else
  int later = atomic_load(&lanes[FIRST ? 2 : 0]);
  int earlier = atomic_load(&lanes[FIRST ? 0 : 2]);
  assert(!(later == 1 && earlier == 0));
#endif
  pthread_join(thread, NULL);
  assert(lanes[1] == 5 && lanes[3] == 0 && lanes[0] == 1 && lanes[2] == 1);
  return 0;
}
