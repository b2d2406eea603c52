// check: --robustness tso=holds pso=holds
// check: --robustness -DLOAD_BEHIND tso=violated(not-robust) pso=violated(not-robust)
//
// The stores of one `memset` have no program order among themselves, so a reader that sees the last byte new
// and the first one old is no reason against sequential consistency. A load behind the call that overtakes
// its stores is.
#include <pthread.h>
#include <string.h>

#define GET(variable) (*(volatile char *)&(variable))

static char block[16], flag;

static void *writer(void *unused) {
  memset(block, 1, sizeof block);
#ifdef LOAD_BEHIND
  (void)GET(flag);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
#ifdef LOAD_BEHIND
  GET(flag) = 1;
#endif
  char last = GET(block[15]), first = GET(block[0]);
  (void)last, (void)first;
  pthread_join(thread, NULL);
  return 0;
}
