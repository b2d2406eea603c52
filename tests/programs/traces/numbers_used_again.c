// check: sc=holds tso=holds pso=holds states=sc:266,tso:323,pso:323
// check: --engine=dpor sc=holds tso=holds pso=holds
// check: --engine=dpor --keep-going sc=holds tso=holds pso=holds
// check: --engine=reads-from sc=holds tso=holds pso=holds
// executions: sc=4 tso=4 pso=4
//
// Two threads write a variable. The number of one of them is given to another thread later: what comes before
// the write is the creation of its own thread, not that of the later one.
#include <pthread.h>

static int written;

static void *writer(void *unused) {
  written = 2 * written + 1;
  return unused;
}

static void *idle(void *unused) {
  return unused;
}

static void *creator_of_two(void *unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, idle, NULL);
  return unused;
}

static void *creator_of_one(void *unused) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, creator_of_two, NULL);
  pthread_create(&second, NULL, creator_of_one, NULL);
  pthread_join(second, NULL);
  return 0;
}
