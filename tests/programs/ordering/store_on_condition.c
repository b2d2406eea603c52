// check: sc=holds tso=holds pso=holds
//
// Loads and stores that overlap, and a store that depends on what was loaded. Where a step reads something
// else, steps of the other thread that were taken after it cannot come after all that came before it: they
// read something else then, and the store that the step was to read is not there.
#include <pthread.h>
#include <stdint.h>

typedef uint16_t __attribute__((aligned(1))) u16;
typedef uint32_t __attribute__((aligned(1))) u32;

static uint64_t bytes;
static char *const cell = (char *)&bytes;

static void *exchange(void *unused) {
  (void)*(volatile u32 *)(cell + 3);
  uint64_t last = __atomic_exchange_n(&bytes, 0x101010101010101, __ATOMIC_RELAXED);
  if (last == 0x1010101)
    *(volatile u32 *)(cell + 2) = 0x2020202;
  return unused;
}

static void *add(void *unused) {
  *(volatile u32 *)cell = 0x1010101;
  *(volatile u32 *)(cell + 1) = 0x1010101;
  (void)*(volatile u16 *)(cell + 5);
  __atomic_fetch_add(&bytes, 0x303030303030303, __ATOMIC_RELAXED);
  *(volatile u32 *)(cell + 1) = 0x1010101;
  return unused;
}

int main(void) {
  static void *(*const bodies[])(void *) = {exchange, add};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return (int)*(volatile uint64_t *)&bytes & 1;
}
