// check: sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=25
// check: --keep-going --cross-check sc=violated(deadlock) tso=violated(deadlock) pso=violated(deadlock) at=25
//
// There is one deadlock: main waits in pthread_join. Before that it loads the name of the thread, and nothing
// can change any more.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static pthread_t thread;

static void *waits(void *unused) {
  int value = 0;
  sem_wait(&never);
  sem_getvalue(&never, &value);
  return unused;
}

int main(void) {
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, waits, 0);
  pthread_t
      name = // The load.
      thread;
  pthread_join(name, 0);
  return 0;
}
