// check: sc=holds tso=holds pso=violated(assertion) states=sc:7,tso:9,pso:8
//
// Two bytes of one word are two places: PSO reorders stores to them, although a load can see both at once.
#include <assert.h>
#include <pthread.h>

static union {
  volatile unsigned char byte[2];
  volatile unsigned short word;
} shared;

static void *writer(void *unused) {
  shared.byte[0] = 1;
  shared.byte[1] = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  unsigned seen = shared.word;
  assert(seen == 0x0000 || seen == 0x0001 || seen == 0x0101);
  pthread_join(thread, NULL);
  return 0;
}
