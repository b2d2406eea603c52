// check: sc=holds tso=holds pso=holds states=sc:204,tso:318,pso:412
//
// Three loops that wait and update what the others look at. Whether an update that leaves memory as it was
// completes a round of its loop depends on what its thread did before, and not only on what the update reads.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int y, z;
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&x, value, memory_order_relaxed)

static void *exchanges(void *unused) {
  int a = 0, b = 0;
  a = LOAD(z);
  do {
    a = atomic_exchange(&y, 1);
  } while ((a = LOAD(y)) != 1 && (b = LOAD(z)) != 2);
  return unused;
}

static void *stores(void *unused) {
  int a = 0;
  STORE(z, 2);
  do {
    STORE(y, 1);
    STORE(z, a);
  } while ((a = LOAD(z)) != 0);
  return unused;
}

static void *clears(void *unused) {
  int a = 0;
  do {
    atomic_fetch_and(&y, 2);
    if (a == 0) {
    }
  } while ((a = LOAD(z)) == 2);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, exchanges, 0);
  pthread_create(&threads[1], 0, stores, 0);
  pthread_create(&threads[2], 0, clears, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
