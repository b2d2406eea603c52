// check: --engine=dpor-source --keep-going sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return)
// check: sc=violated(use-after-return) tso=violated(use-after-return) pso=violated(use-after-return) states=sc:21,tso:21,pso:21
//
// A thread stores to a local variable of another function that may be over. Whether the variable is still there matters when the store enters the buffer, long
// before it changes memory.
#include <pthread.h>

static pthread_t writer, other;
static int taken;

static void *nothing(void *unused) { return unused; }

static void *write_late(void *argument) {
  int *place = argument;
  __atomic_exchange_n(&taken, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(place, 1, __ATOMIC_RELAXED);
  return NULL;
}

static void ends_early(void) {
  int place = 0;
  pthread_create(&other, NULL, nothing, NULL);
  pthread_create(&writer, NULL, write_late, &place);
  pthread_join(other, NULL);
}

int main(void) {
  ends_early();
  return 0;
}
