// check: -O2 -mavx512f -mprefer-vector-width=512 sc=holds tso=holds pso=holds states=sc:73,tso:64,pso:64
// check: -O2 -mavx512f -mavx512vl -mllvm -force-vector-width=4 sc=holds tso=holds pso=holds states=sc:289,tso:226,pso:226
// check: -O2 -mavx512f -mavx512vl -mllvm -force-vector-width=4 -DOVERLAP sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:57,tso:27,pso:27
// check: -O2 -mavx512f -mavx512vl -mllvm -force-vector-width=4 -DOUTSIDE sc=violated(out-of-bounds) tso=violated(out-of-bounds) pso=violated(out-of-bounds) states=sc:78,tso:66,pso:66
// check: --engine=dpor -O2 -mavx512f -mavx512vl -mllvm -force-vector-width=4 sc=holds tso=holds pso=holds
//
// Loops of which the vectoriser makes gathers, scatters, masked loads and masked stores. Each of two threads
// works on its half of an array that both know.
#include <assert.h>
#include <pthread.h>

enum { COUNT = 16 };

static int condition[COUNT], source[COUNT], place[COUNT], target[COUNT];

__attribute__((noinline)) static void gather(int from, int to) {
  for (int i = from; i < to; i++)
    if (condition[i] > 1)
      target[i] = source[place[i]] + i;
}

__attribute__((noinline)) static void scatter(int count) {
#pragma clang loop vectorize(assume_safety)
  for (int i = 0; i < count; i++)
    if (condition[i] > 1)
      source[place[i]] = i;
}

static void *half(void *unused) {
#ifdef OVERLAP
  gather(0, COUNT);
#else
  gather(0, COUNT / 2);
#endif
  return unused;
}

int main(void) {
  for (int i = 0; i < COUNT; i++) {
    condition[i] = i % 3;
    source[i] = 10 * i;
    place[i] = COUNT - 1 - i;
  }
#ifdef OUTSIDE
  place[5] = COUNT + 3;
#endif
  // Of an element that is not looked at.
  place[3] = 1 << 20;
  pthread_t thread;
  pthread_create(&thread, NULL, half, NULL);
#ifdef OVERLAP
  source[1] = 11;
#else
  gather(COUNT / 2, COUNT);
#endif
  pthread_join(thread, NULL);
  for (int i = 0; i < COUNT; i++)
    assert(target[i] == (i % 3 > 1 ? 10 * (COUNT - 1 - i) + i : 0));
  scatter(COUNT);
  for (int i = 0; i < COUNT; i++)
    if (i % 3 > 1)
      assert(source[COUNT - 1 - i] == i);
  return 0;
}
