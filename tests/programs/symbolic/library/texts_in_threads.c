// check: sc=holds tso=holds pso=holds
// check: --engine=symbolic sc=unknown(symbolic-bounds) tso=unknown(symbolic-bounds) pso=unknown(symbolic-bounds)
// check: -DLENGTH sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DLENGTH sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DORDER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DORDER sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DFOUND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DFOUND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: -DEND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
// check: --engine=symbolic -DEND sc=violated(assertion) tso=violated(assertion) pso=violated(assertion)
//
// Texts that a thread reads while another one may change them. The machine copies them first, as their bytes
// are read in no order; where a solution of the formula is confirmed, it reads them as the formula does.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char text[4] = "abc", same[4] = "abc";
static size_t length;
static int order, found;

static void *reads(void *unused) {
  length = strlen(text);
  order = strcmp(text, same);
  found = memchr(text, 'b', sizeof text) != 0;
  return unused;
}

static void *writes(void *unused) {
  text[1] = 0;
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reads, 0);
  pthread_create(&threads[1], 0, writes, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
#if defined LENGTH
  assert(length == 3);
#elif defined ORDER
  assert(order == 0);
#elif defined FOUND
  assert(found);
#elif defined END
  assert(!text[0]);
#else
  assert((length == 3 || length == 1) && (order == 0 || length == 1 || !found || text[1] == 0));
#endif
  return 0;
}
