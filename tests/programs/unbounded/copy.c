// The pieces of a copy are in no order, whatever the memory model, so a store of one may come after the load
// of a later one. That is no delay. The search for attacks does not tell the two apart, and refuses the copy
// by name.
// check: --engine=attacks tso=refused(copy)
// check: --engine=attacks -DPRIVATE tso=holds states=tso:4323

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static char from[12], to[12];

static void *fill(void *unused) {
  for (char byte = 0;; byte ^= 1)
    memset(from, byte, sizeof from);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, fill, NULL);
#ifdef PRIVATE
  char own[12];
  memcpy(own, from, sizeof own);
#else
  // Everybody knows `to`.
  memcpy(to, from, sizeof to);
#endif
  return to[0] + to[11] > 2;
}
