// check: sc=holds tso=holds pso=holds states=sc:357,tso:369,pso:369
// check: -DRELAXED_UNLOCK sc=holds tso=holds pso=violated(assertion) at=55 states=sc:357,tso:369,pso:233
// check: -DSPLIT_ENTRY sc=violated(assertion) tso=violated(assertion) pso=violated(assertion) at=55 states=sc:254,tso:218,pso:218
//
// A reader-writer spin lock in one word, after J. M. Mellor-Crummey and M. L. Scott, "Scalable reader-writer synchronization for
// shared-memory multiprocessors", PPoPP 1991, section 2.1: a bit for the writer, the other bits count readers.
// All entries are compare-exchanges of the whole word, so nobody enters beside a writer. A reader that looks at the word and then
// adds itself can miss the writer who came between (-DSPLIT_ENTRY). The writer leaves with a store: behind its data under TSO, under PSO if
// it is a release (-DRELAXED_UNLOCK: it is not). The reader only loads, and loads are never late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED_UNLOCK
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

#define WRITER 1u
#define READER 2u

static atomic_uint word;
static int left, right;  // always equal outside the writer's critical section

static void read_lock(void) {
#ifdef SPLIT_ENTRY
  while (atomic_load(&word) & WRITER)
    ;
  atomic_fetch_add(&word, READER);
#else
  unsigned seen;
  do
    seen = atomic_load_explicit(&word, memory_order_relaxed) & ~WRITER;
  while (!atomic_compare_exchange_weak(&word, &seen, seen + READER));
#endif
}

static void read_unlock(void) { atomic_fetch_sub_explicit(&word, READER, memory_order_release); }

static void write_lock(void) {
  unsigned nobody;
  do
    nobody = 0;
  while (!atomic_compare_exchange_weak(&word, &nobody, WRITER));
}

// Nobody else changes the word while the writer's bit is set.
static void write_unlock(void) { atomic_store_explicit(&word, 0, UNLOCK); }

static void *reader(void *unused) {
  read_lock();
  int l = left, r = right;
  read_unlock();
  assert(l == r);
  return unused;
}

static void *writer(void *unused) {
  write_lock();
  left++;
  right++;
  write_unlock();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(left == 1 && right == 1);
  return 0;
}
