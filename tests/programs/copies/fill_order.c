// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:13,pso:13
// check: --engine=dpor sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DDOWNWARDS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:13,pso:13
// check: -DAROUND sc=holds tso=holds pso=violated(assertion) states=sc:21,tso:22,pso:23
// check: --engine=dpor -DAROUND sc=holds tso=holds pso=violated(assertion)
//
// The stores of a `memset` are unordered among themselves: a reader can find the last byte new and the first one old, and
// the other way round. What comes before the call precedes all of them, and what comes after it follows, as far as the
// memory model keeps stores in order.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#define GET(variable) (*(volatile char *)&(variable))

static char before, block[32], after;

static void *writer(void *unused) {
  *(volatile char *)&before = 1;
  memset(block, 1, sizeof block);
  *(volatile char *)&after = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef AROUND
  char later = GET(after), middle = GET(block[17]), first = GET(before);
  assert(later <= middle && middle <= first);
#elif defined(DOWNWARDS)
  char first = GET(block[0]), last = GET(block[31]);
  assert(first <= last);
#else
  char last = GET(block[31]), first = GET(block[0]);
  assert(last <= first);
#endif
  pthread_join(thread, NULL);
  return 0;
}
