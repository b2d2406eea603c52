// check: --keep-going --cross-check sc=holds tso=holds pso=holds
//
// A thread that ended before it was detached leaves its number to the next one, so detaching tells whether it has ended. Its end must not hide in its last operation: the number
// may be taken though the operation was seen.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int seen;
pthread_t first, second;

static void *subtract(void *unused) {
  atomic_fetch_sub_explicit(&x, 1, memory_order_acquire);
  return unused;
}

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_create(&first, NULL, subtract, NULL);
  seen = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_detach(first);
  pthread_create(&second, NULL, nothing, NULL);
  return 0;
}
