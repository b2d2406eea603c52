// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DCONDITIONAL sc=refused(asm) tso=refused(asm) pso=refused(asm)
// check: -DTABLE sc=refused(asm) tso=refused(asm) pso=refused(asm)
// check: -DOUTPUT sc=refused(asm) tso=refused(asm) pso=refused(asm)
// check: -DTHREADS sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:29,tso:18,pso:18
//
// `asm goto` that always goes the same way: without an instruction it goes on behind it, with a `jmp` at the
// label. It is no fence.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int jumps(int x) {
  int y = x + 1;
  asm goto("jmp %l1" : : "r"(x) : "memory" : out);
  y = 0;
out:
  return y;
}

static int falls(int x) {
  asm goto("# jmp %l[out]\n\t" : : : : out, other);
  return x;
out:
  x++;
other:
  return x + 2;
}

static int second(int x) {
  asm goto("jmp %l[other]" : : : : out, other);
  return x;
out:
  x++;
other:
  return x + 2;
}

static int same(int x) {
  asm goto("" : : "r"(x) : : out);
out:
  return x;
}

static int loops(void) {
  int round = 0;
again:
  if (++round < 3)
    asm goto("jmp %l0" : : : : again);
  return round;
}

static atomic_int first, other;
static int seen_first, seen_other;

static void *run(void *unused) {
  atomic_store_explicit(&first, 1, memory_order_relaxed);
  asm goto("jmp %l0" : : : "memory" : out);
out:
  seen_other = atomic_load_explicit(&other, memory_order_relaxed);
  return unused;
}

int main(void) {
  assert(jumps(4) == 5 && falls(4) == 4 && second(4) == 6 && same(4) == 4 && loops() == 3);
#ifdef THREADS
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  asm goto("" : : : "memory" : out);
  seen_first = atomic_load_explicit(&first, memory_order_relaxed);
  pthread_join(thread, NULL);
  assert(seen_first || seen_other);
#else
  (void)run;
#endif
#ifdef CONDITIONAL
  asm goto("jc %l0" : : : : out);
#elif defined TABLE
  asm goto("1: nop\n.pushsection __jump_table, \"aw\"\n.quad 1b, %l0\n.popsection" : : : : out);
#elif defined OUTPUT
  int value;
  asm goto("" : "=r"(value) : : : out);
  return value;
#endif
  return 0;
out:
  return 1;
}
