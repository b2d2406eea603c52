// check: sc=holds tso=holds pso=holds states=sc:267,tso:189,pso:195
// check: -DNO_ENTRY_BARRIER sc=holds tso=holds pso=violated(assertion) at=63 states=sc:267,tso:189,pso:77
// check: -DNO_EXIT_BARRIER sc=holds tso=holds pso=violated(assertion) at=63 states=sc:267,tso:189,pso:134
// check: -DNO_RECHECK sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=63 states=sc:51,tso:44,pso:45
// check: -DNO_PARITY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=63 states=sc:77,tso:79,pso:80
//
// A sequence lock: C. Lameter, "Effective synchronization on Linux/NUMA systems", Gelato Conference, 2005; its barriers after H.-J. Boehm, "Can seqlocks get along
// with programming language memory models?", MSPC 2012. The writer makes the number odd, writes, makes it even; a reader keeps what it
// read if the number was even and still is the same. Loads are in order in all three models. The writer's stores must be too: TSO does it, PSO needs
// a barrier after the first change of the number and before the second. Without the one the data is seen before the number is odd, without the
// other after it is even again. A reader that does not look at the number again (-DNO_RECHECK), or begins while it is odd (-DNO_PARITY), sees
// halves of two writes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define GET(variable) atomic_load_explicit(&(variable), memory_order_relaxed)
#define SET(variable, value) atomic_store_explicit(&(variable), (value), memory_order_relaxed)
#define WRITES 2

static atomic_uint number;
static atomic_int left, right;  // equal whenever the number is even

static void write_both(int value) {
  SET(number, GET(number) + 1);
#ifndef NO_ENTRY_BARRIER
  atomic_thread_fence(memory_order_release);
#endif
  SET(left, value);
  SET(right, value);
#ifndef NO_EXIT_BARRIER
  atomic_thread_fence(memory_order_release);
#endif
  SET(number, GET(number) + 1);
}

// Whether *l and *r are what was written together.
static int try_read(int *l, int *r) {
  unsigned before = atomic_load_explicit(&number, memory_order_acquire);
  *l = GET(left);
  *r = GET(right);
  atomic_thread_fence(memory_order_acquire);
#ifndef NO_PARITY
  if (before % 2 != 0)
    return 0;
#endif
#ifdef NO_RECHECK
  return 1;
#else
  return GET(number) == before;
#endif
}

static void *writer(void *unused) {
  for (int value = 1; value <= WRITES; value++)
    write_both(value);
  return unused;
}

static void *reader(void *unused) {
  int l, r;
  if (try_read(&l, &r))
    assert(l == r);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(left == WRITES && right == WRITES);
  return 0;
}
