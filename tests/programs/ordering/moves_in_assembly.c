// check: sc=holds tso=violated(assertion) pso=violated(assertion) at=33 states=sc:42,tso:48,pso:48
// check: -DFENCE sc=holds tso=holds pso=holds states=sc:42,tso:58,pso:58
//
// Macros of the READ_ONCE kind, written in assembly: a move is one access of its thread, delayed and overtaken like any other, and a fence
// in the same piece of assembly stays where it is.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FENCE
#define AFTER_STORE "; mfence"
#else
#define AFTER_STORE ""
#endif

static int flags[2], seen[2];

static void *raise_and_look(void *argument) {
  int me = argument != NULL, other;
  int *mine = &flags[me];
  __asm__ volatile("movl %1, %0" AFTER_STORE : "=m"(*mine) : "ir"(1) : "memory");
  __asm__ volatile("mov (%1), %0" : "=r"(other) : "r"(&flags[1 - me]) : "memory");
  seen[me] = other;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, raise_and_look, NULL);
  pthread_create(&threads[1], NULL, raise_and_look, flags);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(seen[0] || seen[1]);
  return 0;
}
