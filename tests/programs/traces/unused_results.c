// check: sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DBITS sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DSAME_BIT sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DCLEARED sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DFLIPPED sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DOPERATORS sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DWIDE sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DMIXED sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DUSED sc=holds tso=holds pso=holds states=sc:143,tso:143,pso:143
// check: -DTOGETHER -DN=2 -DEXPECTED=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:14,tso:14,pso:14
// check: -DNOTHING sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DPART -DN=2 sc=holds tso=holds pso=holds states=sc:9,tso:9,pso:9
// check: -DREADER sc=holds tso=holds pso=holds states=sc:21,tso:21,pso:21
// check: -DREADER -DEXPECTED=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:17,tso:17,pso:17
// check: -DSTORER sc=holds tso=holds pso=holds states=sc:30,tso:30,pso:30
// check: -DPENDING sc=holds tso=holds pso=holds states=sc:52,tso:52,pso:52
// check: -DPENDING -DREADER sc=holds tso=holds pso=holds states=sc:102,tso:110,pso:110
// check: -DUNINITIALISED -DN=2 sc=holds tso=holds pso=holds states=sc:16,tso:16,pso:16
// check: -DPOINTERS -DN=2 sc=holds tso=holds pso=holds states=sc:36,tso:36,pso:36
// executions: sc=1 tso=1 pso=1
// executions: -DN=5 -DK=3 sc=1 tso=1 pso=1
// executions: -DBITS sc=1 tso=1 pso=1
// executions: -DSAME_BIT sc=6 tso=6 pso=6
// executions: -DCLEARED sc=1 tso=1 pso=1
// executions: -DFLIPPED -DK=2 sc=1 tso=1 pso=1
// executions: -DOPERATORS sc=1 tso=1 pso=1
// executions: -DWIDE sc=1 tso=1 pso=1
// executions: -DMIXED sc=4 tso=4 pso=4
// executions: -DMIXED -DN=5 sc=16 tso=16 pso=16
// executions: -DUSED sc=6 tso=6 pso=6
// executions: -DTOGETHER -DN=2 sc=2 tso=2 pso=2
// executions: -DNOTHING sc=1 tso=1 pso=1
// executions: -DPART -DN=2 sc=2 tso=2 pso=2
// executions: -DREADER sc=4 tso=4 pso=4
// executions: -DREADER -DN=6 sc=32 tso=32 pso=32
// executions: -DREADER -DN=2 -DK=3 sc=4 tso=4 pso=4
// executions: -DSTORER sc=4 tso=4 pso=4
// executions: -DPENDING sc=1 tso=1 pso=1
// executions: -DPENDING -DREADER sc=9 tso=9 pso=9
// executions: -DUNINITIALISED -DN=2 sc=2 tso=2 pso=2
// executions: -DPOINTERS -DN=2 sc=1 tso=1 pso=1
//
// Read-modify-writes of one kind on the same bytes commute where nobody uses their results. A thread that reads,
// stores or uses another kind comes before or behind each of the others: with N threads there are 2^(N - 1)
// executions. Who uses a result, sets a bit that others set, changes a part only, or changes what is
// uninitialised is in an order with all others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif
#ifndef K
#define K 1
#endif

#ifdef WIDE
atomic_long x;
#elif defined(CLEARED)
atomic_int x = 255;
#else
atomic_int x;
#endif
int seen[N], before[N];
_Atomic(int *) *place;
atomic_int *unknown;

static void operate(long self) {
#ifdef BITS
  atomic_fetch_or(&x, 1 << self);
#elif defined(SAME_BIT)
  atomic_fetch_or(&x, 1);
#elif defined(CLEARED)
  atomic_fetch_and(&x, ~(1 << self));
#elif defined(FLIPPED)
  atomic_fetch_xor(&x, 3);
#elif defined(OPERATORS)
  if (self == 0)
    x++;
  else if (self == 1)
    --x;
  else
    x += 5;
#elif defined(WIDE)
  atomic_fetch_sub_explicit(&x, 1L << 40 << self, memory_order_relaxed);
#elif defined(MIXED)
  if (self == 0)
    atomic_fetch_or(&x, 64);
  else
    atomic_fetch_add(&x, 1);
#elif defined(USED)
  seen[self] = atomic_fetch_add(&x, 1);
#elif defined(TOGETHER)
  if (self == 0)
    seen[self] = atomic_fetch_add(&x, 1);
  else
    atomic_fetch_add(&x, 1);
#elif defined(NOTHING)
  atomic_fetch_add(&x, self == 0 ? 0 : 1);
#elif defined(PART)
  if (self == 0)
    __atomic_fetch_add((char *)&x, 1, __ATOMIC_RELAXED);
  else
    atomic_fetch_add(&x, 1);
#elif defined(UNINITIALISED)
  atomic_fetch_add(unknown, 1);
#elif defined(POINTERS)
  int *own = malloc(sizeof *own);
  *own = (int)self;
  __atomic_fetch_xor((long *)place, (long)own, __ATOMIC_SEQ_CST);
  assert(*own == self);
#else
  atomic_fetch_add(&x, 1);
#endif
}

static void *work(void *argument) {
  long self = (long)argument;
#ifdef READER
  if (self == N - 1) {
    int read = x;
    assert(0 <= read && read <= (N - 1) * K);
#ifdef EXPECTED
    assert(read != EXPECTED);
#endif
#ifdef PENDING
    // What a thread stored before it counted is there, though nobody waits for it.
    int stored = 0;
    for (int i = 0; i < N - 1; i++)
      stored += before[i];
    assert(stored >= read);
#endif
    return NULL;
  }
#endif
#ifdef STORER
  if (self == 0) {
    x = 100;
    return NULL;
  }
#endif
  for (int i = 0; i < K; i++) {
#ifdef PENDING
    before[self] = 1;
#endif
    operate(self);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[N];
#ifdef UNINITIALISED
  unknown = malloc(sizeof *unknown);
#endif
#ifdef POINTERS
  place = calloc(1, sizeof *place);
#endif
  for (long i = 0; i < N; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], NULL);
#if defined(TOGETHER) && defined(EXPECTED)
  assert(seen[0] + x != 3);
#endif
#if defined(BITS)
  assert(x == (1 << N) - 1);
#elif defined(SAME_BIT)
  assert(x == 1);
#elif defined(CLEARED)
  assert(x == 255 - ((1 << N) - 1));
#elif defined(FLIPPED)
  assert(x == (N * K % 2 ? 3 : 0));
#elif defined(OPERATORS)
  assert(x == 5);
#elif defined(WIDE)
  assert(x == -((1L << 40 << N) - (1L << 40)));
#elif defined(MIXED)
  assert(x == 64 + (N - 1));
#elif !defined(NOTHING) && !defined(PART) && !defined(STORER) && !defined(UNINITIALISED) && !defined(POINTERS) && !defined(READER)
  assert(x == N * K);
#endif
  return 0;
}
