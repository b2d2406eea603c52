// check: sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) states=sc:10,tso:10,pso:10
// check: -DSHORT sc=holds tso=holds pso=holds states=sc:5,tso:10,pso:10
//
// A text printed to shared memory arrives in pieces: another thread may see the first eight bytes and not the rest.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[16];

static void *writer(void *unused) {
#ifdef SHORT
  snprintf(text, sizeof text, "%d", 1234567);
#else
  snprintf(text, sizeof text, "%d", 1234567890);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  if (text[0] == '1')
#ifdef SHORT
    assert(text[6] == '7');
#else
    assert(text[9] == '0');
#endif
  pthread_join(thread, NULL);
  return 0;
}
