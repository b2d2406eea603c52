// check: sc=holds tso=holds pso=violated(use-after-free)
// check: --engine=dpor sc=holds tso=holds pso=violated(use-after-free)
// check: --engine=reads-from sc=holds tso=holds pso=violated(use-after-free)
// check: --engine=reads-from -DFENCE sc=holds tso=holds pso=holds
// check: --engine=reads-from --keep-going sc=holds tso=holds pso=refused(--keep-going)
//
// A thread says that it is done with memory, and another one frees it: under pso the store to the memory may come later than the one that says so. Which store is late is no part
// of a reads-from class, so the engine asks for it where the memory ends.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int done;

static void *use(void *argument) {
  *(int *)argument = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int *memory = malloc(sizeof *memory);
  pthread_create(&thread, NULL, use, memory);
  if (atomic_load_explicit(&done, memory_order_relaxed))
    free(memory);
  pthread_join(thread, NULL);
  return 0;
}
