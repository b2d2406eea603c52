// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=81 states=sc:217,tso:180,pso:180
// check: -DTAGGED sc=holds tso=holds pso=holds states=sc:216,tso:180,pso:180
// check: -DNO_REUSE sc=holds tso=holds pso=holds states=sc:178,tso:159,pso:159
//
// R. K. Treiber, "Systems programming: coping with parallelism", IBM Research Report RJ 5118, 1986: a stack whose top is changed by
// compare-exchange only, and its famous flaw. A thread that pops A has read that B is below it. Meanwhile another pops A and B and pushes A
// again. The top is A as before, the exchange succeeds, and B, which has an owner, is on the stack. It happens only if a node
// comes back (-DNO_REUSE); a count of changes beside the pointer, as in the report, makes the exchange fail (-DTAGGED).
// All changes are compare-exchanges, which are full fences and come after the store of the link: the models do not differ.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define NODES 3
#define NONE 0  // nodes are 1..NODES

// The index of the top node, and in the upper half the number of changes.
static _Atomic uint64_t top;
static atomic_uint next[NODES + 1];

static unsigned index_of(uint64_t top) { return (unsigned)top; }

static uint64_t changed(uint64_t from, unsigned to) {
#ifdef TAGGED
  return ((from >> 32) + 1) << 32 | to;
#else
  (void)from;
  return to;
#endif
}

static void push(unsigned node) {
  uint64_t seen = atomic_load(&top);
  do
    atomic_store_explicit(&next[node], index_of(seen), memory_order_relaxed);
  while (!atomic_compare_exchange_weak(&top, &seen, changed(seen, node)));
}

static unsigned pop(void) {
  uint64_t seen = atomic_load(&top);
  unsigned below;
  do {
    if (index_of(seen) == NONE)
      return NONE;
    below = atomic_load_explicit(&next[index_of(seen)], memory_order_relaxed);
  } while (!atomic_compare_exchange_weak(&top, &seen, changed(seen, below)));
  return index_of(seen);
}

static int owners[2][NODES + 1];  // by thread; [..][NONE] is not used

static void *popper(void *unused) {
  owners[0][pop()]++;
  return unused;
}

static void *recycler(void *unused) {
  unsigned first = pop();
  owners[1][pop()]++;
#ifdef NO_REUSE
  owners[1][first]++;
#else
  if (first != NONE)
    push(first);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (unsigned node = 1; node <= NODES; node++)
    push(node);
  pthread_create(&threads[0], NULL, popper, NULL);
  pthread_create(&threads[1], NULL, recycler, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  for (unsigned node; (node = pop()) != NONE;)
    owners[0][node]++;
  for (unsigned node = 1; node <= NODES; node++)
    assert(owners[0][node] + owners[1][node] == 1);
  return 0;
}
