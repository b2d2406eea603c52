// check: sc=holds tso=holds pso=holds states=sc:1,tso:1,pso:1
// check: -DTHREADS sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:22,tso:26,pso:26
//
// Bit-fields of one unit share their memory: writing neighbours from two threads loses updates.
#include <assert.h>
#include <pthread.h>

static struct {
  unsigned small : 3;
  signed negative : 5;
  unsigned wide : 20;
} fields;

static void *set_small(void *unused) {
  fields.small = 5;
  return unused;
}

static void *set_wide(void *unused) {
  fields.wide = 0xabcde;
  return unused;
}

int main(void) {
  fields.negative = -3;
#ifdef THREADS
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, set_small, NULL);
  pthread_create(&threads[1], NULL, set_wide, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
#else
  set_small(NULL);
  set_wide(NULL);
#endif
  assert(fields.small == 5 && fields.negative == -3 && fields.wide == 0xabcde);
  return 0;
}
