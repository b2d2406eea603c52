// check: sc=holds tso=violated(assertion) pso=violated(assertion) states=sc:42,tso:62,pso:62
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
//
// Two threads write one byte each of the same word, and read the whole word. A load takes each byte from its own buffer
// if it can, from memory else: both may miss the other's byte.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  volatile unsigned char byte[4];
  volatile unsigned word;
} shared;
static unsigned seen[2];

static void *write_byte_read_word(void *argument) {
  int me = argument != NULL;
  shared.byte[me] = 1;
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  seen[me] = shared.word;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, write_byte_read_word, NULL);
  pthread_create(&threads[1], NULL, write_byte_read_word, &shared);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen[0] == 0x0101 || seen[1] == 0x0101);
  assert(shared.word == 0x0101);
  return 0;
}
