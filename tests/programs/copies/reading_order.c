// check: -DWHICH=1 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:36,tso:36,pso:36
// check: -DWHICH=2 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWHICH=3 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:36,tso:36,pso:36
// check: -DWHICH=4 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWHICH=5 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWHICH=6 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWHICH=7 sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:18,tso:18,pso:18
// check: -DWHICH=1 -DPUBLISHED sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: -DWHICH=2 -DPUBLISHED sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: -DWHICH=4 -DPUBLISHED sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: -DWHICH=5 -DPUBLISHED sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
// check: -DWHICH=6 -DPUBLISHED sc=holds tso=holds pso=holds states=sc:5,tso:5,pso:5
//
// Library functions read bytes in no order: the writer changes the second word of a text and then the first
// one, and a reader that sees the new first word may have read the second one before. A text that is
// published first is as written.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(8) char text[16] = "00000000AAAAAAA";
static atomic_int ready;

static void *write_text(void *unused) {
  atomic_store((_Atomic(unsigned long) *)&text[8], 0x42424242424242);
  atomic_store((_Atomic(unsigned long) *)&text[0], 0x3131313131313131);
  atomic_store(&ready, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, write_text, NULL);
#ifdef PUBLISHED
  while (!ready)
    ;
#endif
#if WHICH == 1
  assert(memcmp(text, "11111111AAAAAAA", 15) != 0);
#elif WHICH == 2
  assert(strcmp(text, "11111111AAAAAAA") != 0);
#elif WHICH == 3
  char *copy = strdup(text);
  assert(copy[0] == '0' || copy[8] == 'B');
#elif WHICH == 4
  assert(strncmp("11111111A", text, 9) != 0);
#elif WHICH == 5
  assert(strcasecmp(text, "11111111AAAAAAA") != 0);
#elif WHICH == 6
  assert(strstr(text, "1A") == NULL);
#elif WHICH == 7
  // The first character that is no digit 1 is an A: read before those, or it would be a B.
  assert(strspn(text, "1A") != 15);
#endif
  pthread_join(thread, NULL);
}
