// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=40 states=sc:135,tso:170,pso:170
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:135,tso:162,pso:162
// A reader has a byte of its own in the lock, as in the byte lock of Concurrency Kit, and a writer looks at
// all bytes, in a long loop. A reader that does not wait until its byte is in memory meets the writer.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { READER = 1, SLOTS = 12 };

static atomic_char readers[SLOTS];
static atomic_int owner;
static int shared, copy;

static void *write(void *unused) {
  atomic_store(&owner, 1);
  for (int slot = 0; slot < SLOTS; slot++)
    while (atomic_load(&readers[slot])) {}
  shared++;
  copy++;
  atomic_store_explicit(&owner, 0, memory_order_release);
  return unused;
}

static void lock(void) {
  for (;;) {
    atomic_store_explicit(&readers[READER], 1, memory_order_release);
#ifdef FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    if (!atomic_load_explicit(&owner, memory_order_acquire))
      return;
    atomic_store_explicit(&readers[READER], 0, memory_order_release);
    while (atomic_load_explicit(&owner, memory_order_acquire)) {}
  }
}

static void *read(void *unused) {
  lock();
  assert(shared == copy);
  atomic_store_explicit(&readers[READER], 0, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, 0, write, 0);
  pthread_create(&reader, 0, read, 0);
  pthread_join(writer, 0);
  pthread_join(reader, 0);
}
