// check: -DLATER=0 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:17,pso:17
// check: -DLATER=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:18,pso:18
// check: -DLOCKED sc=holds tso=holds pso=holds states=sc:14,tso:10,pso:10
// check: -DOFF sc=holds tso=holds pso=holds states=sc:7,tso:8,pso:8
// check: --engine=dpor -DLATER=0 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor -DLATER=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=dpor -DLOCKED sc=holds tso=holds pso=holds
// check: --engine=dpor -DOFF sc=holds tso=holds pso=holds
//
// A masked load while its lanes are written, one before the other: each lane is loaded by itself, in any
// order. So whichever lane is written first, the load may see the later one alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LATER
#define LATER 0
#endif

typedef int v4 __attribute__((vector_size(16)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));

v4 load4(const void *, int, mask4, v4) __asm__("llvm.masked.load.v4i32.p0");

static atomic_int lanes[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
  atomic_store_explicit(&lanes[1 - LATER], 1, memory_order_release);
  atomic_store_explicit(&lanes[LATER], 1, memory_order_release);
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  volatile _Bool on = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
#ifdef OFF
  // The lane that is written first is not looked at.
  mask4 mask = {LATER == 0 && on, LATER == 1 && on};
#else
  mask4 mask = {on, on};
#endif
  v4 seen = load4(lanes, 4, mask, (v4){1, 1});
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  assert(!(seen[LATER] == 1 && seen[1 - LATER] == 0));
  pthread_join(thread, NULL);
  return 0;
}
