// check: --races sc=holds tso=violated(data-race) pso=violated(data-race) at=29 related=38 states=sc:137,tso:61,pso:61
// check: --races -DSEQ_CST sc=holds tso=holds pso=holds states=sc:137,tso:113,pso:113
//
// Peterson's entry protocol with release and acquire only: store buffers let both threads in, and there they race. Under sequential consistency they
// do not meet, but for the orders alone C11 lets them; what is looked at are the executions of the model.
#include <pthread.h>
#include <stdatomic.h>

#ifdef SEQ_CST
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#else
#define STORE memory_order_release
#define LOAD memory_order_acquire
#endif

static atomic_int wants[2], turn;
static int counter;

static void enter(int me) {
  atomic_store_explicit(&wants[me], 1, STORE);
  atomic_store_explicit(&turn, 1 - me, STORE);
  while (atomic_load_explicit(&wants[1 - me], LOAD) && atomic_load_explicit(&turn, LOAD) == 1 - me)
    ;
}

static void *user(void *unused) {
  enter(1);
  counter++;
  atomic_store_explicit(&wants[1], 0, STORE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, user, NULL);
  enter(0);
  counter++;
  atomic_store_explicit(&wants[0], 0, STORE);
  pthread_join(thread, NULL);
  return 0;
}
