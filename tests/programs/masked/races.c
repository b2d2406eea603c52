// check: --races sc=holds tso=holds pso=holds states=sc:5,tso:4,pso:4
// check: --races -DSAME sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) states=sc:4,tso:2,pso:2
//
// A lane that is off is no access: it races with nothing.
#include <pthread.h>

typedef int v4 __attribute__((vector_size(16)));
typedef _Bool mask4 __attribute__((ext_vector_type(4)));

void store4(v4, void *, int, mask4) __asm__("llvm.masked.store.v4i32.p0");

static int lanes[2];

static void *writer(void *unused) {
#ifdef SAME
  lanes[1] = 1;
#else
  lanes[0] = 1;
#endif
  return unused;
}

int main(void) {
  volatile _Bool on = 1;
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  mask4 mask = {!on, on};
  store4((v4){2, 2}, lanes, 4, mask);
  pthread_join(thread, NULL);
  return 0;
}
