// check: sc=holds tso=holds pso=holds states=sc:357,tso:470,pso:470
// check: -DNO_READER_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=58 states=sc:357,tso:310,pso:310
// check: -DNO_WRITER_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=58 states=sc:357,tso:256,pso:256
// check: -DRELAXED_UNLOCK sc=holds tso=holds pso=violated(assertion) at=58 states=sc:357,tso:470,pso:304
//
// A reader-writer lock whose readers write to memory of their own only, as in W. C. Hsieh and W. E. Weihl, "Scalable reader-writer locks for
// parallel systems", IPPS 1992, and in Linux's "big reader lock".
// A reader raises its flag and looks for a writer; a writer announces itself and looks for readers' flags. One of them sees the
// other, if both stores are in memory before the looks: each side needs a full fence (-DNO_READER_FENCE, -DNO_WRITER_FENCE), which
// on a multiprocessor with TSO is all that such a lock costs. The writer's way out must not overtake its data (-DRELAXED_UNLOCK: PSO).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif
#define READERS 2

static atomic_int reading[READERS], writing;
static int left, right;  // always equal outside the writer's critical section

static void read_lock(int me) {
  for (;;) {
    atomic_store_explicit(&reading[me], 1, memory_order_relaxed);
#ifndef NO_READER_FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (!atomic_load_explicit(&writing, memory_order_acquire))
      return;
    atomic_store_explicit(&reading[me], 0, memory_order_relaxed);
    while (atomic_load_explicit(&writing, memory_order_relaxed))
      ;
  }
}

static void read_unlock(int me) { atomic_store_explicit(&reading[me], 0, memory_order_release); }

static void write_lock(void) {
  atomic_store_explicit(&writing, 1, memory_order_relaxed);
#ifndef NO_WRITER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  for (int i = 0; i < READERS; i++)
    while (atomic_load_explicit(&reading[i], memory_order_acquire))
      ;
}

static void write_unlock(void) { atomic_store_explicit(&writing, 0, UNLOCK); }

static void *reader(void *argument) {
  int me = argument != NULL;
  read_lock(me);
  int l = left, r = right;
  read_unlock(me);
  assert(l == r);
  return NULL;
}

int main(void) {
  pthread_t threads[READERS];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, reader, &left);
  write_lock();
  left++;
  right++;
  write_unlock();
  for (int i = 0; i < READERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
