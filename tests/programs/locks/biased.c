// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=75 states=sc:98,tso:140,pso:160
// check: -DOWNER_FENCE sc=holds tso=holds pso=violated(assertion) at=75 states=sc:98,tso:86,pso:102
// check: -DOWNER_FENCE -DRELEASE_EXIT sc=holds tso=holds pso=holds states=sc:98,tso:86,pso:86
// check: -DOWNER_FENCE -DRELEASE_EXIT -DNO_GUEST_FENCE sc=holds tso=violated(assertion) pso=violated(assertion) at=75 states=sc:98,tso:123,pso:124
//
// A lock biased to one thread: D. Dice, M. Moir and W. Scherer, "Quickly reacquirable locks", Sun Microsystems, 2003. Its owner
// takes it without an atomic operation, by a flag; guests hold a mutex among themselves, then revoke the bias and wait for the owner to
// leave. The two flags are Dekker's: without a fence between the owner's store and its look at `revoked` both can be inside, although the
// guest has one. That fence is what the bias wanted to save; the paper's ways around it (signals, page protection) fence the owner from outside.
// Under PSO the owner's way out must be a release store too (-DRELEASE_EXIT).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELEASE_EXIT
#define EXIT memory_order_release
#else
#define EXIT memory_order_relaxed
#endif

static pthread_mutex_t guests = PTHREAD_MUTEX_INITIALIZER;
static atomic_int owner_inside, revoked;
static int counter;

static void increment(void) {
  int seen = counter;
  counter = seen + 1;
}

// Returns whether the owner has the lock by its bias.
static int owner_enters(void) {
  atomic_store_explicit(&owner_inside, 1, memory_order_relaxed);
#ifdef OWNER_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  if (!atomic_load_explicit(&revoked, memory_order_acquire))
    return 1;
  atomic_store_explicit(&owner_inside, 0, memory_order_relaxed);
  return 0;
}

static void *owner(void *unused) {
  for (int round = 0; round < 2; round++) {
    if (owner_enters()) {
      increment();
      atomic_store_explicit(&owner_inside, 0, EXIT);
    } else {
      pthread_mutex_lock(&guests);
      increment();
      pthread_mutex_unlock(&guests);
    }
  }
  return unused;
}

static void *guest(void *unused) {
  pthread_mutex_lock(&guests);
  atomic_store_explicit(&revoked, 1, memory_order_relaxed);
#ifndef NO_GUEST_FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (atomic_load_explicit(&owner_inside, memory_order_acquire))
    ;
  increment();
  pthread_mutex_unlock(&guests);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, owner, NULL);
  pthread_create(&threads[1], NULL, guest, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(counter == 3);
  return 0;
}
