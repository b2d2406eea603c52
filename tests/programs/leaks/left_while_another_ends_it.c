// check: --leaks=all sc=violated(memory-leak) tso=violated(memory-leak) pso=violated(memory-leak) at=13 related=8 states=sc:24,tso:16,pso:16
// optimised: differs an allocation that is freed at once is removed
//
// The process ends while another thread still has memory, in some executions: between two calls that nobody else could notice otherwise.
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) { free(malloc(8)); return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  exit(0);
}
