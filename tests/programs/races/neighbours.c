// check: --races sc=holds tso=holds pso=holds states=sc:5,tso:4,pso:4
// check: --races -DBITS sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=21 related=34 states=sc:7,tso:5,pso:5
// check: --races -DWIDE sc=violated(data-race) tso=violated(data-race) pso=violated(data-race) at=23 related=36 states=sc:4,tso:2,pso:2
//
// Two threads write neighbouring bytes, neighbouring bit-fields, a byte and the word it is in.
#include <pthread.h>

struct record {
  unsigned char first, second;
  unsigned low : 4;
  unsigned high : 4;
};

static union {
  struct record record;
  int word;
} shared;

static void *writer(void *unused) {
#ifdef BITS
  shared.record.low = 1;
#elif defined WIDE
  shared.word = 1;
#else
  shared.record.first = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef BITS
  shared.record.high = 1;
#else
  shared.record.second = 2;
#endif
  pthread_join(thread, NULL);
  return shared.record.first == 2;
}
