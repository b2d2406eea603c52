// N threads take a ticket lock for ever; the counters wrap, so the state space is finite and full of cycles.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_uchar next_ticket, now_serving;
static int inside;

static void *run(void *unused) {
  for (;;) {
    unsigned char mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
      ;
    assert(inside == 0);
    inside = 1;
    inside = 0;
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
  }
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++)
    pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < N; i++)
    pthread_join(threads[i], 0);
  return 0;
}
