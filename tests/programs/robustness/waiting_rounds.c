// Every load counts, also of a round of a loop that only waits: the first loads of both threads may see that the other's store is missing. The order of the loads in the loop, and whether
// what is read goes through local memory, makes no difference.
// check: --robustness -DLOOP=GET(tail)-GET(head)<0 sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DLOOP=GET(head)-GET(tail)>0 sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DLOOP=(seen=GET(tail),seen-GET(head)<0) sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DLOOP=(seen=GET(tail),seen-GET(head)<0) --no-local-memory tso=violated(not-robust)
// check: --robustness -DLOOP=(seen=GET(head),seen-GET(tail)>0) --no-local-memory tso=violated(not-robust)
// check: --robustness -DLOOP=!GET(tail) sc=holds tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DLOOP=!GET(tail) --engine=dpor-source tso=violated(not-robust) pso=violated(not-robust)
// check: --robustness -DLOOP=!GET(tail) -DFENCE sc=holds tso=holds pso=holds
// check: --robustness -DLOOP=GET(head)-GET(tail)>0 -DFENCE sc=holds tso=holds pso=holds
// check: --robustness -DLOOP=GET(tail)-GET(head)<0 -DFENCE --no-local-memory sc=holds tso=holds pso=holds

#include <pthread.h>
#include <stdatomic.h>

#define GET(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define SET(place, value) atomic_store_explicit(&(place), (value), memory_order_relaxed)

static atomic_int first, second;

#define head first
#define tail second
static void *one(void *unused) {
  volatile int seen = 0;
  (void)seen;
  SET(head, 1);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (LOOP)
    ;
  return unused;
}
#undef head
#undef tail

#define head second
#define tail first
static void *other(void *unused) {
  volatile int seen = 0;
  (void)seen;
  SET(head, 1);
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (LOOP)
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, one, NULL);
  other(NULL);
  pthread_join(thread, NULL);
  return 0;
}
