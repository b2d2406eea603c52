// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DLENGTH sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DLENGTH sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DORDER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DORDER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DFOUND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DFOUND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// Functions on texts are followed byte by byte.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char text[8];
static atomic_int which;

static void *work(void *unused) {
  strcpy(text, which ? "right" : "left");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  which = 1;
  pthread_join(thread, 0);
#if defined LENGTH
  assert(strlen(text) == 5);
#elif defined ORDER
  assert(strcmp(text, "right") == 0);
#elif defined FOUND
  assert(memchr(text, 'h', sizeof text));
#else
  assert(strlen(text) == 5 || strlen(text) == 4);
  assert(strcmp(text, "right") == 0 || memcmp(text, "left", 4) == 0);
  assert(memchr(text, 't', sizeof text));
  assert(strncmp(text, "middle", 2) != 0);
#endif
  return 0;
}
