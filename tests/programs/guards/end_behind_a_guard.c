// check: --reduce=all --keep-going --cross-check sc=violated(null-dereference) tso=violated(null-dereference) pso=violated(null-dereference) at=23
//
// What ends the execution comes right after an access that seems to need no scheduling point: the other thread writes the word late and seldom. The executions in which it does
// must be found all the same.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int counter;
int *word;
int value;

static void *publish(void *unused) {
  for (int i = 0; i < 12; i++)
    atomic_fetch_add(&counter, 1);
  word = &value;
  return unused;
}

// Guesses come from a few executions at random. In few of them does the other thread get through its loop before this one takes a step.
static int look(void) {
  int *seen = word;
  return *seen;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, publish, NULL);
  return look();
}
