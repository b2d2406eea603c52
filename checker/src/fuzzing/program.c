// The data may be read before it is there: with store buffers per address the flag overtakes it.
//
// The accesses are calls of the ABI (rmc.abi.v1) as the pass makes them, so that no pass is needed. Memory
// orders: 0 plain, 1 relaxed, 2 acquire.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __rmc_load_4(int *p, int order);
long __rmc_load_8(void *p, int order);
void __rmc_store_4(int *p, int value, int order);

static int data, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
  __rmc_store_4(&data, 42, 0);
  __rmc_store_4(&ready, 1, 1);
  return unused;
}

static void *receiver(void *unused) {
  if (__rmc_load_4(&ready, 2))
    assert(__rmc_load_4(&data, 0) == 42);
  pthread_mutex_lock(&mutex);
  free(malloc(8));
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, sender, NULL);
  pthread_create(&threads[1], NULL, receiver, NULL);
  pthread_join((pthread_t)__rmc_load_8(&threads[0], 0), NULL);
  pthread_join((pthread_t)__rmc_load_8(&threads[1], 0), NULL);
  return 0;
}
