// check: --races sc=refused(different) tso=refused(different) pso=refused(different)
//
// An acquire load of eight bytes, four of which a release store wrote: what it synchronises with is nobody's guess.
#include <pthread.h>

static int value;
static union {
  long whole;
  int halves[2];
} flag;

static void *writer(void *unused) {
  value = 1;
  __atomic_store_n(&flag.halves[0], 1, __ATOMIC_RELEASE);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  int seen = __atomic_load_n(&flag.whole, __ATOMIC_ACQUIRE) != 0 ? value : 0;
  pthread_join(thread, NULL);
  return seen > 1;
}
